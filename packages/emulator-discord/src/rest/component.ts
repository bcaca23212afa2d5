import { type APIMessageTopLevelComponent, ComponentType } from "discord-api-types/v10";
import { z } from "zod";

const ROW_LIMIT = 5;
const BUTTONS_IN_ROW = 5;

const emoji = z.looseObject({ id: z.string().nullish(), name: z.string().nullish() });
const customId = z.string().min(1).max(100);
const label = z.string().max(80);
const button = z.union([
  z.strictObject({
    type: z.literal(ComponentType.Button),
    id: z.int().optional(),
    style: z.int().min(1).max(4),
    custom_id: customId,
    label: label.optional(),
    emoji: emoji.optional(),
    disabled: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal(ComponentType.Button),
    id: z.int().optional(),
    style: z.literal(5),
    url: z.string().max(512),
    label: label.optional(),
    emoji: emoji.optional(),
    disabled: z.boolean().optional(),
  }),
]);
const select = z.looseObject({
  type: z.int().min(3).max(8),
  custom_id: customId,
  placeholder: z.string().max(150).optional(),
  options: z
    .array(z.looseObject({ label: z.string().max(100), value: z.string().max(100) }))
    .max(25)
    .optional(),
});
const row = z.strictObject({
  type: z.literal(ComponentType.ActionRow),
  id: z.int().optional(),
  components: z
    .array(z.union([button, select]))
    .min(1)
    .max(BUTTONS_IN_ROW),
});

/** Rows of buttons and selects; of the newer layouts no more is looked at than that each says its type. */
const known = z.array(z.union([row, z.looseObject({ type: z.int().min(9) })])).superRefine((rows, context) => {
  if (rows.length > ROW_LIMIT && rows.every(({ type }) => type === ComponentType.ActionRow)) {
    const message = `Must be between 1 and ${ROW_LIMIT} in length.`;
    context.addIssue({ code: "custom", message, params: { code: "BASE_TYPE_BAD_LENGTH" } });
  }
  const ids = rows.flatMap(listCustomIds);
  if (new Set(ids).size === ids.length) return;
  const message = "Component custom id cannot be duplicated";
  context.addIssue({ code: "custom", message, params: { code: "COMPONENT_CUSTOM_ID_DUPLICATED" } });
});

export const componentsSchema: z.ZodType<APIMessageTopLevelComponent[]> = z
  .custom<APIMessageTopLevelComponent[]>(Array.isArray, "Must be a list")
  .superRefine((components, context) => {
    const issues = known.safeParse(components).error?.issues ?? [];
    for (const { path, message } of issues) {
      context.addIssue({ code: "custom", path: [...path], message, params: { code: "BASE_TYPE_INVALID" } });
    }
  });

/** Of all buttons and selects below, in order. */
export function listCustomIds(component: unknown): readonly string[] {
  const parsed = holder.safeParse(component).data;
  if (parsed === undefined) return [];
  const own = parsed.custom_id === undefined ? [] : [parsed.custom_id];
  return [...own, ...(parsed.components ?? []).flatMap(listCustomIds)];
}

const holder = z.looseObject({ custom_id: z.string().optional(), components: z.array(z.unknown()).optional() });

/** The components with a number for each that has none, as the server gives them (Component Reference, "id"). */
export function numberComponents(components: readonly APIMessageTopLevelComponent[]): APIMessageTopLevelComponent[] {
  const numbered = [...structuredClone(components)];
  let last = 0;
  const number = (component: unknown): void => {
    if (typeof component !== "object" || component === null) return;
    last += 1;
    if (!("id" in component)) Object.assign(component, { id: last });
    if ("components" in component && Array.isArray(component.components)) component.components.forEach(number);
    if ("accessory" in component) number(component.accessory);
  };
  numbered.forEach(number);
  return numbered;
}
