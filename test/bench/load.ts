import type { TelegramUser } from "@banyan/emulator-telegram";
import type { Town } from "./town.ts";

/** Everybody writes, and writes again with each answer. Resolves with messages a second over `count` answers. */
export async function runClosedLoop(town: Town, count: number): Promise<number> {
  const done = Promise.withResolvers<void>();
  let answers = 0;
  let said = town.people.length;
  town.listen((person) => {
    answers += 1;
    if (answers === count) done.resolve();
    if (said < count) {
      said += 1;
      say(person, said);
    }
  });
  const begun = performance.now();
  for (const [index, person] of town.people.entries()) say(person, index);
  await done.promise;
  return count / ((performance.now() - begun) / 1000);
}

/** People write at a steady pace. Resolves with the answers' latencies in milliseconds, ascending. */
export async function runSteadyPace(town: Town, perSecond: number, count: number): Promise<readonly number[]> {
  const begunAt = new Map<TelegramUser, number>();
  const latencies: number[] = [];
  const done = Promise.withResolvers<void>();
  town.listen((person) => {
    latencies.push(performance.now() - (begunAt.get(person) ?? 0));
    if (latencies.length === count) done.resolve();
  });
  const begun = performance.now();
  let said = 0;
  const timer = setInterval(() => {
    while (said < count && said < ((performance.now() - begun) / 1000) * perSecond) {
      const person = town.people[said % town.people.length];
      said += 1;
      if (person === undefined) continue;
      begunAt.set(person, performance.now());
      say(person, said);
    }
    if (said === count) clearInterval(timer);
  }, 2);
  await done.promise;
  return latencies.toSorted((one, other) => one - other);
}

function say(person: TelegramUser, number: number): void {
  person.says(`message number ${number}, of the length that people write`).catch((error: unknown) => {
    throw error;
  });
}
