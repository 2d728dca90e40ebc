// Scores a reply by the rules of its bundle. `config` has the id of the instance, and the digest of the bundle; answer keys are next to this file.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');

const keys = path.join(__dirname, 'keys');

// One process of `picardc grade` scores all replies: a line in, a line out, in the same order.
class Grader {
  constructor(manifest) {
    this.manifest = manifest;
    this.from = JSON.parse(manifest).exported_from;
    this.waiting = [];
    this.said = '';
    this.ended = false;
    this.child = spawn(process.env.PICARDC || 'picardc', ['grade', keys, '--lines']);
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.said += text));
    this.child.stdin.on('error', () => {}); // It has ended, and `close` says why.
    this.child.on('error', (error) => this.end(error.message));
    this.child.on('close', (status) => this.end(this.said || `it ended with status ${status}`));
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => this.answer(JSON.parse(line)));
    this.rest();
  }

  answer(score) {
    const { id, done, failed } = this.waiting.shift();
    if (this.waiting.length === 0) this.rest();
    if (score.error) failed(new Error(`picardc grade ${id}: ${score.error}`));
    else done(score);
  }

  end(why) {
    this.ended = true;
    for (const { id, failed } of this.waiting.splice(0)) failed(new Error(`picardc grade ${id}: ${why}`));
  }

  // Does not keep promptfoo from ending while nothing is asked.
  rest(way = 'unref') {
    for (const part of [this.child, ...this.child.stdio]) part[way]?.();
  }

  score(response) {
    if (this.waiting.length === 0) this.rest('ref');
    return new Promise((done, failed) => {
      this.waiting.push({ id: response.id, done, failed });
      this.child.stdin.write(`${JSON.stringify(response)}\n`);
    });
  }
}

let grader;

module.exports = async (output, context) => {
  const { id, bundle } = context.config;
  const manifest = fs.readFileSync(path.join(keys, 'manifest.json'), 'utf8');
  if (!grader || grader.ended || grader.manifest !== manifest) {
    grader?.child.stdin.end();
    grader = new Grader(manifest);
  }
  if (grader.from !== bundle) throw new Error(`${__dirname} was exported again while it was in use: start the evaluation again`);
  const reply = typeof output === 'string' ? output : JSON.stringify(output);
  const { correct, score, verdicts } = await grader.score({ id, reply });
  const reason = verdicts.map((verdict) => `${verdict.subject} ${verdict.matcher}: ${verdict.reason}`).join('; ');
  return { pass: correct, score, reason, namedScores: { correct: correct ? 1 : 0 } };
};
