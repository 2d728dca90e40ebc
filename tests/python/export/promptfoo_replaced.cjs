// Scores replies with the assertion of an export for promptfoo, whose answer keys are replaced meanwhile: node promptfoo_replaced.cjs EXPORT OTHER ID RIGHT.
// OTHER is an export of the edited suite, in which RIGHT is wrong. Prints `ok`; exits 1 otherwise.
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');

const [folder, other, id, right] = process.argv.slice(2);
const scorer = require(path.join(folder, 'score.cjs'));
const [bundle, edited] = [folder, other].map(
  (one) => JSON.parse(fs.readFileSync(path.join(one, 'picardc.json'), 'utf8')).bundle_sha256,
);
const score = (reply, config) => scorer(reply, { config: { id, bundle, ...config } });

(async () => {
  // Many at once are answered in their order.
  const replies = Array.from({ length: 50 }, (_, at) => (at % 3 ? '1' : right));
  const scores = await Promise.all(replies.map((reply) => score(reply)));
  assert.deepStrictEqual(scores.map(({ pass }) => pass), replies.map((reply) => reply === right));
  assert.strictEqual((await score('a\u2028b\u2029c\u0085d')).pass, false);
  await assert.rejects(score(right, { id: 'plus-77' }), /has no instance `plus-77`/);
  assert.strictEqual((await score(right)).pass, true);
  fs.rmSync(path.join(folder, 'keys'), { recursive: true });
  fs.cpSync(path.join(other, 'keys'), path.join(folder, 'keys'), { recursive: true });
  await assert.rejects(score(right), /was exported again/);
  assert.strictEqual((await score(right, { bundle: edited })).pass, false);
  console.log('ok');
})();
