// Scores a reply by the rules of its bundle. `config` has the place of the answer key, next to this file, and the id of the instance.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

module.exports = (output, context) => {
  const { key, id } = context.config;
  const reply = typeof output === 'string' ? output : JSON.stringify(output);
  const words = ['grade', path.join(__dirname, key), id, '--response', '-', '--json'];
  const ran = spawnSync(process.env.PICARDC || 'picardc', words, {
    input: JSON.stringify({ reply }),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (ran.error || ran.status > 1 || ran.status === null) {
    throw new Error(`picardc grade ${id}: ${ran.error ? ran.error.message : ran.stderr}`);
  }
  const { correct, score, verdicts } = JSON.parse(ran.stdout);
  const reason = verdicts.map((verdict) => `${verdict.subject} ${verdict.matcher}: ${verdict.reason}`).join('; ');
  return { pass: correct, score, reason, namedScores: { correct: correct ? 1 : 0 } };
};
