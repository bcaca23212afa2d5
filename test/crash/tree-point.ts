import { createSeededRandom } from "./crash-point.ts";
import { DEATH_CHAINS } from "./death-chain.ts";
import { drawSample, thinOut } from "./drawn-sample.ts";
import type { KillPlan } from "./kill-plan.ts";
import { TREE_PASSES } from "./tree-pass.ts";
import type { TreeCall } from "./tree-place.ts";
import type { TreeStoryName } from "./tree-story.ts";

/** Deaths, each in a process of its own, at points that the story surely passes. */
export interface TreePoint {
  readonly story: TreeStoryName;
  readonly plans: readonly KillPlan[];
}

const LINE_PLACES: readonly (readonly [quarter: number, hit: number])[] = [
  [1, 4],
  [2, 9],
  [3, 15],
  [4, 22],
];

/** The others have fewer lines. */
const LINE_STORIES: readonly (readonly [TreeStoryName, place: number])[] = [
  ["telegram", 1],
  ["webchat", 0.8],
  ["threads", 0.2],
];

/** In the others time has to pass. */
const SHORT_STORIES: readonly TreeStoryName[] = [
  "telegram",
  "webchat",
  "threads",
  "discord",
  "topics",
  "private topics",
  "posted topics",
  "chains",
  "lives",
  "late",
  "orders",
  "nest",
  "reset",
  "reset by API",
  "letters",
  "post",
  "cleared",
  "felled",
  "results",
  "copied results",
  "refused results",
  "single results",
  "silence",
  "questions",
  "withdrawn",
  "steers",
  "interrupts",
  "pressed kill",
];
const STORIES: readonly TreeStoryName[] = [...SHORT_STORIES, "web questions", "expiry", "web lives"];

/** Stories of which a test run tells only so many deaths; their points are those of other stories. */
const SAMPLES: Readonly<Partial<Record<TreeStoryName, number>>> = {
  discord: 20,
  topics: 18,
  "private topics": 6,
  "posted topics": 4,
  chains: 12,
  results: 24,
  "copied results": 4,
  "refused results": 6,
  "single results": 4,
  silence: 6,
  "moved results": 4,
  "parted results": 4,
  "pressed kill": 3,
  "pressed retry": 2,
  "pressed stop": 3,
  questions: 6,
  withdrawn: 3,
};
const SAMPLED = Object.keys(TREE_PASSES).filter((story): story is TreeStoryName => story in SAMPLES);

/** Every death of these stories at a point that is surely passed. */
export const SAMPLED_TREE_POINTS: readonly TreePoint[] = SAMPLED.flatMap(listSurePoints);

/** One death each, at points of which some lie on the way of nearly every story. */
const SINGLE_POINTS: readonly TreePoint[] = [
  ...SAMPLED.flatMap((story) => drawSample(listSurePoints(story), SAMPLES[story] ?? 0)),
  ...[...STORIES, "hushed" as const].filter((story) => !SAMPLED.includes(story)).flatMap(listSurePoints),
  { story: "telegram", plans: [{ point: "spawned", hit: 2 }] },
  ...LINE_STORIES.flatMap(([story, place]) =>
    LINE_PLACES.map(([quarter, hit]) => ({
      story,
      plans: [{ point: `jsonl.append.q${quarter}`, hit: Math.ceil(hit * place) }],
    })),
  ),
];

/** Several deaths in one story. */
const CHAINED_POINTS: readonly TreePoint[] = [
  ...DEATH_CHAINS,
  // As often as a turn is begun.
  { story: "given up", plans: repeat({ point: "attachments.after", hit: 1 }) },
  { story: "doomed", plans: repeat({ point: "T3.before", hit: 1 }) },
  // What the first death left is taken back, and that dies, too.
  ...nameSides("undo").flatMap((point) => [
    {
      story: "telegram" as const,
      plans: [
        { point: "T1a.after", hit: 3 },
        { point, hit: 1 },
      ],
    },
    {
      story: "threads" as const,
      plans: [
        { point: "thread.after", hit: 1 },
        { point, hit: 1 },
      ],
    },
    {
      story: "lives" as const,
      plans: [
        { point: "attachments.after", hit: 1 },
        { point, hit: 1 },
      ],
    },
  ]),
];

/** The deaths of a test run: each point in so many stories, and each story with so many. */
export const TREE_POINTS: readonly TreePoint[] = [
  ...thinOut(SINGLE_POINTS, [
    { nameOf: ({ plans }) => plans[0]?.point ?? "", atLeast: 2 },
    { nameOf: ({ story }) => story, atLeast: 2 },
  ]),
  ...CHAINED_POINTS,
];

/** Calls that the platform has taken while their answers are never read. */
export const TREE_DOORS: readonly (readonly [TreeStoryName, TreeCall])[] = [
  ["telegram", "send"],
  ["threads", "open"],
  ["threads", "send"],
  ["threads", "archive"],
  ["threads", "rename"],
  ["discord", "open"],
  ["discord", "send"],
  ["discord", "archive"],
  ["topics", "open"],
  ["topics", "send"],
  ["topics", "archive"],
  ["topics", "rename"],
  ["private topics", "open"],
  ["chains", "send"],
];

/** Where Discord has taken something and nobody knows of it, when it has forgotten the key by the next start. */
export const LATE_STARTS: readonly KillPlan[] = [
  { point: "thread.after", hit: 1 },
  { point: "T6.before", hit: 1 },
  { point: "T6.before", hit: 3 },
  { point: "tap.after", hit: 1 },
  { point: "tap.after", hit: 2 },
  { point: "tap.after", hit: 3 },
];

const MOST_PASSES = 4;
/** Every story passes these. */
const EVERYWHERE: readonly string[] = [
  "inbound.parsed",
  ...["T0", "T1a", "T1", "T2", "T3", "T6", "store.commit", "sessions_json.rename"].flatMap(nameSides),
  ...LINE_PLACES.map(([quarter]) => `jsonl.append.q${quarter}`),
];

/** What is passed on some way of the story; whether it is, and how often, depends on what died before. */
function listPoints(story: TreeStoryName): readonly string[] {
  const own = [...SINGLE_POINTS, ...CHAINED_POINTS, ...SAMPLED_TREE_POINTS].filter((point) => point.story === story);
  return [...new Set([...own.flatMap(({ plans }) => plans.map(({ point }) => point)), ...EVERYWHERE])];
}

/** Two deaths of one story, drawn by the seed. */
export function drawTreePair(seed: number): TreePoint {
  const random = createSeededRandom(seed);
  const pick = <T>(list: readonly T[], otherwise: T): T => list[Math.floor(random() * list.length)] ?? otherwise;
  const story = pick(SHORT_STORIES, "telegram");
  const points = listPoints(story);
  const draw = () => ({ point: pick(points, "T3.before"), hit: 1 + Math.floor(random() * MOST_PASSES) });
  return { story, plans: [draw(), draw()] };
}

/** Each point of each story, at each of its first passes. */
export function listTreeMatrix(): readonly TreePoint[] {
  return STORIES.flatMap((story) =>
    listPoints(story).flatMap((point) =>
      Array.from({ length: MOST_PASSES }, (_, passes) => ({ story, plans: [{ point, hit: passes + 1 }] })),
    ),
  );
}

/** `telegram: T1.after (1), then T6.before (2)`. */
export function nameTreePoint({ story, plans }: TreePoint): string {
  return `${story}: ${plans.map(({ point, hit }) => `${point} (${hit})`).join(", then ")}`;
}

function listSurePoints(story: TreeStoryName): readonly TreePoint[] {
  return TREE_PASSES[story].flatMap(([point, hit]) =>
    nameSides(point).map((side) => ({ story, plans: [{ point: side, hit }] })),
  );
}

/** A turn is set aside at its fifth death: the first two cost it nothing. */
function repeat(plan: KillPlan): readonly KillPlan[] {
  return [plan, plan, plan, plan, plan];
}

function nameSides(point: string): readonly string[] {
  return [`${point}.before`, `${point}.after`];
}
