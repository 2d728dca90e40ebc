// The suites that ship, with the files that they read; each is fetched when it is chosen.

import type { Given } from "./protocol";

export type Example = { name: string; title: string; about: string };

export const PLAIN = "plain";

export const STARTER = `suite first {
  title   "My first suite"
  version "1.0.0"
  samples 20
}

## How many people of one department earn more than a given amount?
task well_paid {
  dept   : ref staff.DEPT
  amount : int 60_000..90_000 step 5_000

  csv staff at "staff.csv" {
    rows 40
    NAME : person_name
    DEPT : department
    PAY  : int 30_000..150_000
  }

  n = count(staff where DEPT == dept and PAY > amount)

  prompt "How many people of the <<dept>> department earn more than <<amount>> in <<staff>>? Reply with the number only."
  expect reply number n
}
`;

export async function list(): Promise<Example[]> {
  const answer = await fetch("examples/index.json");
  if (!answer.ok) throw new Error(`examples/index.json: ${answer.status}`);
  return (await answer.json()) as Example[];
}

/// The files of an example; its suite is `suites/NAME.pcd`.
export async function load(name: string): Promise<Given[]> {
  if (name === PLAIN) return [{ path: path(PLAIN), text: STARTER }];
  const answer = await fetch(`examples/${encodeURIComponent(name)}.json`);
  if (!answer.ok) throw new Error(`The example \`${name}\` does not exist.`);
  return (await answer.json()) as Given[];
}

export function path(name: string): string {
  return `suites/${name === PLAIN ? "first" : name}.pcd`;
}
