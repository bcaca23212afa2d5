import { type APIEmbed, EmbedType } from "discord-api-types/v10";
import { z } from "zod";

/** Over all embeds of a message (Message Object, "Embed Limits"; D3). */
const ALL_LIMIT_CHARS = 6000;
const url = z.string().max(2048);
const image = z.strictObject({
  url,
  proxy_url: url.exactOptional(),
  height: z.int().exactOptional(),
  width: z.int().exactOptional(),
});

const embedSchema: z.ZodType<APIEmbed> = z
  .strictObject({
    title: z.string().max(256).exactOptional(),
    type: z.enum(EmbedType).exactOptional(),
    description: z.string().max(4096).exactOptional(),
    url: url.exactOptional(),
    timestamp: z.string().exactOptional(),
    color: z.int().min(0).max(0xff_ff_ff).exactOptional(),
    footer: z.strictObject({ text: z.string().max(2048), icon_url: url.exactOptional() }).exactOptional(),
    image: image.exactOptional(),
    thumbnail: image.exactOptional(),
    author: z
      .strictObject({ name: z.string().min(1).max(256), url: url.exactOptional(), icon_url: url.exactOptional() })
      .exactOptional(),
    fields: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(256),
          value: z.string().min(1).max(1024),
          inline: z.boolean().default(false),
        }),
      )
      .max(25)
      .exactOptional(),
  })
  .superRefine((embed, context) => {
    const { title, description, image: picture, thumbnail, footer, author, fields } = embed;
    if ([title, description, picture, thumbnail, footer, author, fields?.[0]].some((part) => part !== undefined))
      return;
    const message = "This field is required";
    context.addIssue({ code: "custom", path: ["description"], message, params: { code: "BASE_TYPE_REQUIRED" } });
  })
  .transform((embed) => ({ ...embed, type: EmbedType.Rich }));

export const embedsSchema: z.ZodType<APIEmbed[]> = z
  .array(embedSchema)
  .max(10)
  .superRefine((embeds, context) => {
    if (embeds.reduce((sum, embed) => sum + countChars(embed), 0) <= ALL_LIMIT_CHARS) return;
    const message = `Embed size exceeds maximum size of ${ALL_LIMIT_CHARS}`;
    context.addIssue({ code: "custom", message, params: { code: "MAX_EMBED_SIZE_EXCEEDED" } });
  });

/** What the limit over all embeds counts. */
function countChars({ title = "", description = "", footer, author, fields = [] }: APIEmbed): number {
  const ends = (footer?.text.length ?? 0) + (author?.name.length ?? 0);
  return fields.reduce(
    (sum, { name, value }) => sum + name.length + value.length,
    title.length + description.length + ends,
  );
}
