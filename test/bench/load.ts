import type { TelegramUser } from "@banyan/emulator-telegram";
import type { Town } from "./town.ts";

/**
 * So many people write at first, and with each answer the next one in turn does. Resolves with messages a second over
 * `count` answers.
 */
export async function runClosedLoop(town: Town, count: number, atOnce: number = town.people.length): Promise<number> {
  const done = Promise.withResolvers<void>();
  let answers = 0;
  let said = 0;
  const sayNext = () => {
    const person = town.people[said % town.people.length];
    said += 1;
    if (person !== undefined) say(person, `message number ${said}, of the length that people write`);
  };
  town.listen(() => {
    answers += 1;
    if (answers === count) done.resolve();
    if (said < count) sayNext();
  });
  const begun = performance.now();
  for (let first = 0; first < Math.min(atOnce, count); first += 1) sayNext();
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
      say(person, `message number ${said}, of the length that people write`);
    }
    if (said === count) clearInterval(timer);
  }, 2);
  await done.promise;
  return latencies.toSorted((one, other) => one - other);
}

/**
 * Everybody writes `each` numbered messages at once. Resolves with messages a second until the last answer; rejects
 * when somebody hears them in another order.
 */
export async function runNumberedBurst(town: Town, each: number): Promise<number> {
  const heard = new Map<TelegramUser, number>();
  const done = Promise.withResolvers<void>();
  let left = town.people.length * each;
  town.listen((person, text) => {
    const next = (heard.get(person) ?? 0) + 1;
    heard.set(person, next);
    if (text !== `number ${next}`) done.reject(new Error(`${person.firstName} heard "${text}" in place ${next}`));
    left -= 1;
    if (left === 0) done.resolve();
  });
  const begun = performance.now();
  for (let number = 1; number <= each; number += 1) for (const person of town.people) say(person, `number ${number}`);
  await done.promise;
  return (town.people.length * each) / ((performance.now() - begun) / 1000);
}

function say(person: TelegramUser, text: string): void {
  person.says(text).catch((error: unknown) => {
    throw error;
  });
}
