import type { ModelProvider } from "./model-provider.ts";

/**
 * Names of models that see pictures, as their makers' pages of 2026 say; all of Anthropic's do. What is not on the list is
 * not asked: many servers answer a picture that they cannot take with an error, or silently leave it out.
 */
const SEEING: readonly RegExp[] = [
  /\bgpt-(?:4o|4\.1|4-turbo|4\.5|[5-9])/,
  /\bchatgpt-4o/,
  /\bo[134](?:$|-(?!mini-high$|preview))/,
  /\bclaude-(?:[3-9]|opus|sonnet|haiku)/,
  /\bgemini-/,
  /\bgemma-?3(?!n?[:-]?(?:1b|270m))/,
  /\bllama-?4/,
  /\bpixtral|\bllava|\bmoondream|\bminicpm-v|\bgrok-4|\bmistral-(?:small-?3\.[1-9]|medium-3|large-3)/,
  /vision|[-_.:/]vl(?:\b|[-_:])|\d(?:\.\d)?-?vl\b|-omni\b/,
];

/** Whether a model is shown pictures: as the configuration says, else by its name. Pure. */
export function takesImages({ kind, images }: Pick<ModelProvider, "kind" | "images">, model: string): boolean {
  if (images !== undefined) return images;
  const name = model.toLowerCase();
  return kind === "anthropic" || SEEING.some((pattern) => pattern.test(name));
}
