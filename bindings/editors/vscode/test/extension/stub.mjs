/** As much of the editor's API as `src/preview.ts` and `src/server.ts` use, in plain objects that a test can look into. */

export const calls = [];
export const editor = { settings: {}, symbols: [], active: undefined, documents: [], groups: [], visible: [], picked: undefined };

export class Uri {
  constructor(parts) {
    Object.assign(this, parts);
  }
  static from(parts) {
    return new Uri(parts);
  }
  toString() {
    return `${this.scheme}:${this.path}?${encodeURIComponent(this.query ?? "")}`;
  }
}

export class EventEmitter {
  listeners = [];
  event = (listener) => this.listeners.push(listener);
  fire(value) {
    for (const listener of this.listeners) listener(value);
  }
  dispose() {}
}

export const ViewColumn = { Beside: -2 };

export class TabInputCustom {
  constructor(uri) {
    this.uri = uri;
  }
}

export const commands = {
  async executeCommand(...call) {
    calls.push(call);
    return call[0] === "vscode.executeDocumentSymbolProvider" ? editor.symbols : undefined;
  },
};

export const window = {
  get activeTextEditor() {
    return editor.active;
  },
  get visibleTextEditors() {
    return editor.visible;
  },
  get tabGroups() {
    return { all: editor.groups };
  },
  showInformationMessage: async (text) => calls.push(["said", text]),
  showErrorMessage: async (text) => calls.push(["said", text]),
  showQuickPick: async (items) => (calls.push(["asked", items]), editor.picked),
};

export const workspace = {
  get textDocuments() {
    return editor.documents;
  },
  getConfiguration: () => ({ get: (key, otherwise) => editor.settings[key] ?? otherwise }),
};
