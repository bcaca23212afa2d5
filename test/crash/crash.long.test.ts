import { describe, test } from "vitest";
import {
  ALBUM_DEATHS,
  drawStretchedAlbums,
  nameAlbumDeath,
  nameStretchedAlbum,
  tellAlbumDeath,
  tellStretchedAlbum,
} from "./album-story.ts";
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
  REFUSED_EDITS,
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
import { RESTORE_POINTS, tellRestoreDeath } from "./restore-story.ts";
import { SEEN_POINTS, tellLateFirst, tellWebhookDeath, WEBHOOK_POINTS } from "./webhook-story.ts";

const PAIRS = 10;
/** Of the stories whose every death is told by `pnpm crash` alone. */
const MOST_DRAWN = 4;

describe("a process killed at a durable point loses nothing and repeats nothing unmarked", () => {
  for (const plan of KILL_POINTS) {
    test(`${plan.point} (${plan.hit})`, () => tellOneDeath(plan));
  }
  for (const plan of BUSY_CHAT_POINTS) test(`${plan.point} (${plan.hit})`, () => tellDeathBehindAnother(plan));
  for (const plan of STOP_POINTS) test(plan.point, () => tellDeathAtStop(plan));
});

describe("a process killed while the platform is being told loses nothing and repeats nothing unmarked", () => {
  for (const door of WIRE_POINTS) test(door.name, () => tellDeathAtTheDoor(door));
});

describe("a process killed while an answer grows in a message gives it once, in that message", () => {
  for (const door of GROWTH_POINTS) test(door.name, () => tellGrowthAtTheDoor(door));
  for (const plan of GROWTH_KILLS) {
    test(`${plan.point} (${plan.hit})`, () => tellGrowthKill(plan));
    test(`edits are refused: ${plan.point} (${plan.hit})`, () => tellGrowthKill(plan, REFUSED_EDITS));
  }
  for (const death of drawSample(POSTED_GROWTHS, MOST_DRAWN)) {
    test(namePostedGrowth(death), () => tellGrowthKill(death.plan, death));
  }
});

describe("the last edit of a process that died overwrites nothing that the next one has said", () => {
  test("of a status", tellLateStatus);
  test("of an answer that grows", tellLateGrowth);
});

describe("a process killed while Telegram posts to it loses nothing and repeats nothing unmarked", () => {
  for (const plan of WEBHOOK_POINTS) {
    test(`posted: ${plan.point} (${plan.hit})`, () => tellWebhookDeath(plan));
  }
  for (const plan of SEEN_POINTS) {
    test(`posted: ${plan.point} (${plan.hit}), and the first one comes again a minute late`, () => tellLateFirst(plan));
  }
});

describe("a process killed while a group moves, or while people are linked, goes on as if it had not been", () => {
  for (const plan of MOVE_POINTS) {
    test(`a move: ${plan.point} (${plan.hit})`, () => tellGroupMove(plan));
  }
  for (const plan of LINK_POINTS) {
    test(`a link: ${plan.point} (${plan.hit})`, () => tellLink(plan));
  }
});

describe("a process killed while files come in loses none of them and asks nobody twice", () => {
  for (const plan of FILE_POINTS) {
    test(`a file: ${plan.point} (${plan.hit})`, () => tellFile(plan));
  }
  for (const plan of ALBUM_POINTS) {
    test(`an album: ${plan.point} (${plan.hit})`, () => tellAlbum(plan));
  }
  for (const death of drawSample(ALBUM_DEATHS, MOST_DRAWN)) {
    test(nameAlbumDeath(death), () => tellAlbumDeath(death));
  }
  for (const album of drawStretchedAlbums()) {
    test(nameStretchedAlbum(album), () => tellStretchedAlbum(album));
  }
  test("an album: between two of its pieces", tellAlbumInPieces);
});

describe("a process killed while a file goes out sends it with the bytes it had, and no copy unmarked", () => {
  for (const plan of SEND_POINTS) {
    test(`${plan.point} (${plan.hit})`, () => tellSend(plan));
  }
  test("before the platform has taken it", () => tellSendAtDoor("request"));
  test("when the platform has taken it", () => tellSendAtDoor("answer"));
});

describe("a restore that is killed leaves nothing that starts as if it were complete, and the next restore completes it", () => {
  for (const plan of RESTORE_POINTS) {
    test(`a restore: ${plan.point} (${plan.hit})`, () => tellRestoreDeath(plan));
  }
});

describe("a process killed twice loses nothing and repeats nothing unmarked", () => {
  for (let seed = 1; seed <= PAIRS; seed += 1) {
    const plans = drawPair(seed);
    const name = plans.map(({ point, hit }) => `${point} (${hit})`).join(", then ");
    test(`seed ${seed}: ${name}`, () => tellTwoDeaths(plans));
  }
});

describe("a thread of the store that dies alone is started again, and nobody notices", () => {
  for (const { plan, line } of THREAD_POINTS) {
    test(`${plan.point} (${plan.hit})`, () => tellThreadDeath(plan, line));
  }

  test("a store's worker that dies twice ends the gateway in order, and the next one goes on", () =>
    tellTwoWorkerDeaths({ point: "store.commit.before", hit: 3 }));
});

describe("attack 32: on a full disk nothing is lost, and with room all goes on by itself", () => {
  for (const pages of FULL_AFTER_PAGES) {
    test(`full after ${pages} pages`, () => tellFullDisk(pages));
  }
});

describe("attack 30: a second process on the same state directory", () => {
  test("is refused with the holder's pid, also while that stands still; the first one goes on", tellSecondProcess);

  test("has it at once when the first one was killed", tellSuccession);
});
