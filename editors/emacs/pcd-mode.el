;;; pcd-mode.el --- Evaluation suites of AI agents in .pcd  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; A major mode for `.pcd': colours, indentation, and `picardc lsp' through Eglot (part of Emacs since 29).
;; `pcd-preview' shows an instance of the task around point, `pcd-analyze' what is known of all of them.

;;; Code:

(require 'seq)

(defgroup pcd nil
  "Evaluation suites of AI agents."
  :group 'languages)

(defcustom pcd-program "picardc"
  "The `picardc' whose language server is started."
  :type 'string)

(defcustom pcd-indent-offset 2
  "Blanks by which what stands in brackets is indented."
  :type 'integer
  :safe #'integerp)

(defvar pcd-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?` "\"" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?< "." table)
    (modify-syntax-entry ?> "." table)
    table)
  "Syntax of `pcd-mode'.")

(defconst pcd--words
  '("at" "from" "where" "one_of" "weighted" "pattern" "template" "ref" "lorem" "any_of" "reply" "blank" "except" "step"
    "unique" "distinct" "sorted" "within" "rounded" "weight" "ignore" "ordered" "unordered" "unit" "open" "gate" "and" "or" "not" "in"
    "if" "then" "else")
  "Words that stand inside of statements.")

(defconst pcd--statements
  '("suite" "use" "domain" "table" "task" "variant" "axis" "fn" "prompt" "expect" "require" "allow" "samples" "tags"
    "clutter" "folder" "rows" "line" "csv" "tsv" "sqlite" "json" "yaml" "xml" "text" "xlsx" "file")
  "Words with which an item or statement begins.")

(defconst pcd--sql '("select" "with" "from" "where" "group" "order" "by" "having" "join" "left" "on" "using" "as" "case"
                     "when" "end" "limit" "offset" "union" "all" "distinct" "values" "over" "partition" "count" "sum"
                     "avg" "min" "max")
  "Words of SQL, in any case.")

(defun pcd--match-sql (limit)
  "Find a word of SQL in a query of a placeholder, before LIMIT."
  (let ((case-fold-search t) found)
    (while (and (not found) (re-search-forward (regexp-opt pcd--sql 'symbols) limit t))
      (let ((data (match-data)) (here (match-beginning 0)))
        (setq found
              (save-excursion
                (goto-char here)
                (and (re-search-backward "<<\\|>>" nil t)
                     (looking-at "<<\\(?:[^<>]\\|[<>][^<>]\\)*?\\_<\\(?:select\\|with\\)\\_>")
                     (<= (save-excursion (re-search-forward "\\_<\\(?:select\\|with\\)\\_>" nil t) (match-beginning 0))
                         here))))
        (set-match-data data)))
    found))

(defvar pcd-font-lock-keywords
  `(("\\_<\\(suite\\|task\\|variant\\)\\s-+\\([A-Za-z_][A-Za-z0-9_]*\\)"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("\\_<\\(domain\\|table\\)\\s-+\\([A-Za-z_][A-Za-z0-9_]*\\)"
     (1 font-lock-keyword-face) (2 font-lock-type-face))
    (pcd--match-sql (0 font-lock-builtin-face t))
    ;; A name in front of `:' or `=' is declared there, whatever word it is.
    ("\\([A-Za-z_][A-Za-z0-9_]*\\|`[^`\n]+`\\)\\s-*\\(?::\\|=[^=]\\)" (1 font-lock-variable-name-face))
    (":\\s-*\\(?:\\(?:unique\\|distinct\\|sorted\\)\\s-+\\)*\\([A-Za-z_][A-Za-z0-9_]*\\)" (1 font-lock-type-face))
    (,(regexp-opt pcd--statements 'symbols) . font-lock-keyword-face)
    (,(regexp-opt pcd--words 'symbols) . font-lock-keyword-face)
    ("\\_<\\(?:true\\|false\\|null\\)\\_>" . font-lock-constant-face)
    ("\\([A-Za-z_][A-Za-z0-9_]*\\)(" (1 font-lock-function-name-face))
    ("<<\\|>>" (0 font-lock-preprocessor-face t)))
  "Colours of `pcd-mode'.")

(defun pcd--syntax-propertize (start end)
  "Mark the quotes of strings of several lines between START and END."
  (goto-char start)
  (funcall
   (syntax-propertize-rules
    ("\"\"\""
     (0 (let* ((begin (match-beginning 0))
               (state (save-excursion (syntax-ppss begin)))
               (inside (nth 3 state)))
          (cond
           ((nth 4 state) nil)
           ((null inside) (put-text-property begin (1+ begin) 'syntax-table (string-to-syntax "|")) nil)
           ((eq inside t) (put-text-property (+ begin 2) (+ begin 3) 'syntax-table (string-to-syntax "|")) nil))))))
   start end))

(defun pcd--in-placeholder (from)
  "Whether this line begins in a placeholder that is opened behind FROM."
  (save-excursion
    (let ((end (line-beginning-position)) (depth 0))
      (goto-char from)
      (while (re-search-forward "\\\\<<\\|<<\\|>>" end t)
        (setq depth (max 0 (+ depth (pcase (match-string 0) ("<<" 1) (">>" -1) (_ 0))))))
      (> depth 0))))

(defun pcd-indent-line ()
  "Indent a line by the bracket that is open in front of it.
What stands in a string or placeholder of several lines is left alone."
  (interactive)
  (let ((state (save-excursion (syntax-ppss (line-beginning-position)))))
    (if (or (nth 3 state) (pcd--in-placeholder (or (car (nth 9 state)) (point-min))))
        'noindent
      (let* ((closes (save-excursion (back-to-indentation) (looking-at "[]})]")))
             (base (if (nth 1 state) (save-excursion (goto-char (nth 1 state)) (current-indentation))))
             (behind (- (current-column) (current-indentation))))
        (indent-line-to (cond ((null base) 0) (closes base) (t (+ base pcd-indent-offset))))
        (when (> behind 0) (forward-char behind))))))

(defun pcd--task ()
  "The name of the task around point."
  (save-excursion
    (end-of-line)
    (unless (re-search-backward "^[ \t]*task[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)" nil t)
      (user-error "Put point into a task"))
    (match-string-no-properties 1)))

(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defun pcd--show (command argument title)
  "Run COMMAND of the server with ARGUMENT, a plist.
The Markdown of its answer is shown in a buffer called TITLE."
  (require 'eglot)
  (let* ((server (or (eglot-current-server) (user-error "The language server does not run: M-x eglot")))
         (uri (plist-get (eglot--TextDocumentIdentifier) :uri))
         (answer (jsonrpc-request server :workspace/executeCommand
                                  (list :command command :arguments (vector (append (list :uri uri) argument)))))
         (text (or (plist-get answer :markdown) (error "No Markdown came of %s" command))))
    (with-current-buffer (get-buffer-create title)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text)
        (goto-char (point-min)))
      (if (fboundp 'gfm-view-mode) (gfm-view-mode) (view-mode))
      (display-buffer (current-buffer)))))

(defun pcd-preview (sample)
  "Show an instance of the task around point.
It is that of SAMPLE, the prefix argument, from 1."
  (interactive "p")
  (let ((task (pcd--task)))
    (pcd--show "picardc.previewInstance" (list :task task :sample sample) (format "*picardc %s %d*" task sample))))

(defun pcd-analyze ()
  "Show what is known of all instances of the task around point."
  (interactive)
  (let ((task (pcd--task)))
    (pcd--show "picardc.analyzeTask" (list :task task) (format "*picardc %s*" task))))

;;;###autoload
(define-derived-mode pcd-mode prog-mode "pcd"
  "A mode for evaluation suites in `.pcd'."
  (setq-local indent-tabs-mode nil)
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+[ \t]*")
  (setq-local font-lock-defaults '(pcd-font-lock-keywords))
  (setq-local syntax-propertize-function #'pcd--syntax-propertize)
  (setq-local indent-line-function #'pcd-indent-line)
  (setq-local imenu-generic-expression
              '((nil "^[ \t]*task[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)" 1)
                ("Tables" "^table[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)" 1)
                ("Domains" "^domain[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.pcd\\'" . pcd-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'pcd-mode (lambda (&rest _) (list pcd-program "lsp")))))

(provide 'pcd-mode)
;;; pcd-mode.el ends here
