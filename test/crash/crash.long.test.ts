import { describe, test } from "vitest";
import { ALBUM_DEATHS, nameAlbumDeath, tellAlbumDeath } from "./album-story.ts";
import {
  BUSY_CHAT_POINTS,
  drawPair,
  FULL_AFTER_PAGES,
  KILL_POINTS,
  STOP_POINTS,
  THREAD_POINTS,
  WIRE_POINTS,
} from "./crash-point.ts";
import {
  tellDeathAtStop,
  tellDeathAtTheDoor,
  tellDeathBehindAnother,
  tellFullDisk,
  tellOneDeath,
  tellSecondProcess,
  tellSuccession,
  tellThreadDeath,
  tellTwoDeaths,
  tellTwoWorkerDeaths,
} from "./crash-story.ts";
import { drawSample } from "./drawn-sample.ts";
import {
  GROWTH_KILLS,
  GROWTH_POINTS,
  namePostedGrowth,
  POSTED_GROWTHS,
  tellGrowthAtTheDoor,
  tellGrowthKill,
} from "./growth-story.ts";
import { tellLateGrowth, tellLateStatus } from "./late-edit-story.ts";
import {
  ALBUM_POINTS,
  FILE_POINTS,
  SEND_POINTS,
  tellAlbum,
  tellAlbumInPieces,
  tellFile,
  tellSend,
  tellSendAtDoor,
} from "./media-story.ts";
import { LINK_POINTS, MOVE_POINTS, tellGroupMove, tellLink } from "./people-story.ts";
import { tellWebhookDeath, WEBHOOK_POINTS } from "./webhook-story.ts";

const LIMIT_MS = 180_000;
const PAIRS = 10;
/** Of the stories whose every death is told by `pnpm crash` alone. */
const MOST_DRAWN = 4;

describe("a process killed at a durable point loses nothing and repeats nothing unmarked", () => {
  for (const plan of KILL_POINTS) {
    test.concurrent(`${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellOneDeath(plan));
  }
  for (const plan of BUSY_CHAT_POINTS)
    test.concurrent(`${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellDeathBehindAnother(plan));
  for (const plan of STOP_POINTS) test.concurrent(plan.point, { timeout: LIMIT_MS }, () => tellDeathAtStop(plan));
});

describe("a process killed while the platform is being told loses nothing and repeats nothing unmarked", () => {
  for (const door of WIRE_POINTS) test.concurrent(door.name, { timeout: LIMIT_MS }, () => tellDeathAtTheDoor(door));
});

describe("a process killed while an answer grows in a message gives it once, in that message", () => {
  for (const door of GROWTH_POINTS) test.concurrent(door.name, { timeout: LIMIT_MS }, () => tellGrowthAtTheDoor(door));
  for (const plan of GROWTH_KILLS)
    test.concurrent(`${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellGrowthKill(plan));
  for (const death of drawSample(POSTED_GROWTHS, MOST_DRAWN)) {
    test.concurrent(namePostedGrowth(death), { timeout: LIMIT_MS }, () => tellGrowthKill(death.plan, death));
  }
});

describe("the last edit of a process that died overwrites nothing that the next one has said", () => {
  test.concurrent("of a status", { timeout: LIMIT_MS }, tellLateStatus);
  test.concurrent("of an answer that grows", { timeout: LIMIT_MS }, tellLateGrowth);
});

describe("a process killed while Telegram posts to it loses nothing and repeats nothing unmarked", () => {
  for (const plan of WEBHOOK_POINTS) {
    test.concurrent(`posted: ${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellWebhookDeath(plan));
  }
});

describe("a process killed while a group moves, or while people are linked, goes on as if it had not been", () => {
  for (const plan of MOVE_POINTS) {
    test.concurrent(`a move: ${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellGroupMove(plan));
  }
  for (const plan of LINK_POINTS) {
    test.concurrent(`a link: ${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellLink(plan));
  }
});

describe("a process killed while files come in loses none of them and asks nobody twice", () => {
  for (const plan of FILE_POINTS) {
    test.concurrent(`a file: ${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellFile(plan));
  }
  for (const plan of ALBUM_POINTS) {
    test.concurrent(`an album: ${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellAlbum(plan));
  }
  for (const death of drawSample(ALBUM_DEATHS, MOST_DRAWN)) {
    test.concurrent(nameAlbumDeath(death), { timeout: LIMIT_MS }, () => tellAlbumDeath(death));
  }
  test.concurrent("an album: between two of its pieces", { timeout: LIMIT_MS }, tellAlbumInPieces);
});

describe("a process killed while a file goes out sends it with the bytes it had, and no copy unmarked", () => {
  for (const plan of SEND_POINTS) {
    test.concurrent(`${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellSend(plan));
  }
  test.concurrent("before the platform has taken it", { timeout: LIMIT_MS }, () => tellSendAtDoor("request"));
  test.concurrent("when the platform has taken it", { timeout: LIMIT_MS }, () => tellSendAtDoor("answer"));
});

describe("a process killed twice loses nothing and repeats nothing unmarked", () => {
  for (let seed = 1; seed <= PAIRS; seed += 1) {
    const plans = drawPair(seed);
    const name = plans.map(({ point, hit }) => `${point} (${hit})`).join(", then ");
    test.concurrent(`seed ${seed}: ${name}`, { timeout: LIMIT_MS }, () => tellTwoDeaths(plans));
  }
});

describe("a thread of the store that dies alone is started again, and nobody notices", () => {
  for (const { plan, line } of THREAD_POINTS) {
    test.concurrent(`${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellThreadDeath(plan, line));
  }

  test.concurrent(
    "a store's worker that dies twice ends the gateway in order, and the next one goes on",
    {
      timeout: LIMIT_MS,
    },
    () => tellTwoWorkerDeaths({ point: "store.commit.before", hit: 3 }),
  );
});

describe("attack 32: on a full disk nothing is lost, and with room all goes on by itself", () => {
  for (const pages of FULL_AFTER_PAGES) {
    test.concurrent(`full after ${pages} pages`, { timeout: LIMIT_MS }, () => tellFullDisk(pages));
  }
});

describe("attack 30: a second process on the same state directory", () => {
  test.concurrent(
    "is refused with the holder's pid, also while that stands still; the first one goes on",
    {
      timeout: LIMIT_MS,
    },
    tellSecondProcess,
  );

  test.concurrent("has it at once when the first one was killed", { timeout: LIMIT_MS }, tellSuccession);
});
