/** From the body of a request to what is posted: files, embeds and mentions that all ways of writing share. */
import type { APIAttachment, APIMessage } from "discord-api-types/v10";
import type { Draft } from "../acts/draft.ts";
import type { Request, UploadedFile } from "../rest/call.ts";
import { numberComponents } from "../rest/component.ts";
import { buildFieldError } from "../rest/form-error.ts";
import type { MessageBody } from "../rest/message-body.ts";
import { refuse, refuseForm } from "../rest/refusal.ts";
import { readText } from "../world/message-log.ts";

const ATTACHMENT_LIMIT = 10;
/** Of a bot in a guild without boosts (Uploading Files; D4). */
const FILE_LIMIT_BYTES = 10 * 1024 * 1024;
/** What a sender may set: SUPPRESS_EMBEDS, IS_VOICE_MESSAGE, SUPPRESS_NOTIFICATIONS, IS_COMPONENTS_V2; EPHEMERAL apart. */
const FLAGS_TO_SET = (1 << 2) | (1 << 12) | (1 << 13) | (1 << 15);

/** Throws 50006 for one that says nothing, and what files may be refused with. */
export function buildDraft(request: Request, body: MessageBody): Draft {
  const attachments = buildAttachments(request, body);
  const draft = {
    content: body.content?.trim() ?? "",
    embeds: body.embeds ?? [],
    components: numberComponents(body.components ?? []),
    attachments,
    flags: (body.flags ?? 0) & FLAGS_TO_SET,
    isTts: body.tts ?? false,
    ...(body.allowed_mentions !== null &&
      body.allowed_mentions !== undefined && { allowedMentions: body.allowed_mentions }),
  };
  const parts = [draft.embeds, draft.components, attachments, body.sticker_ids ?? []];
  if (draft.content === "" && parts.every(({ length }) => length === 0)) throw refuse(50006);
  return draft;
}

/** What an edit changes of a message: only what its body names. */
export function buildChange(request: Request, body: MessageBody, old: APIMessage): Partial<APIMessage> {
  const uploaded = buildAttachments(request, { ...body, attachments: body.attachments?.filter(isNew) });
  const kept = body.attachments?.map(({ id }) => String(id));
  const attachments = [...old.attachments.filter(({ id }) => kept?.includes(id) ?? true), ...uploaded];
  const change = {
    ...(body.content !== undefined && { content: body.content?.trim() ?? "" }),
    ...(body.embeds !== undefined && { embeds: body.embeds ?? [] }),
    ...(body.components !== undefined && { components: numberComponents(body.components ?? []) }),
    ...(body.flags !== undefined && { flags: ((old.flags ?? 0) & ~(1 << 2)) | ((body.flags ?? 0) & FLAGS_TO_SET) }),
    attachments,
  };
  const edited = { ...old, ...change };
  if (readText(edited) === "" && attachments.length === 0 && (edited.components ?? []).length === 0)
    throw refuse(50006);
  return change;
}

/** A new file is named by its place in the request, an old one by its snowflake. */
function isNew({ id }: { readonly id: string | number }): boolean {
  return Number(id) < ATTACHMENT_LIMIT;
}

function buildAttachments({ world, files }: Request, body: Pick<MessageBody, "attachments">): APIAttachment[] {
  if (files.length > ATTACHMENT_LIMIT) throw refuse(30015);
  return files.map((file) => {
    if (file.sizeBytes > FILE_LIMIT_BYTES) throw refuse(40005);
    return buildAttachment(world.nextId(), file, body);
  });
}

function buildAttachment(id: string, file: UploadedFile, body: Pick<MessageBody, "attachments">): APIAttachment {
  const place = /^files?\[(\d+)\]$/.exec(file.field)?.[1];
  if (place === undefined && file.field !== "file") {
    throw refuseForm(buildFieldError(["attachments"], "ATTACHMENT_NOT_FOUND", `${file.field} is no files[n].`));
  }
  const named = body.attachments?.find((attachment) => String(attachment.id) === place);
  const filename = named?.filename ?? file.filename;
  // Nothing is kept of the bytes, and the host is one that never answers.
  const url = `https://cdn.discordapp.invalid/attachments/${id}/${encodeURIComponent(filename)}`;
  return {
    id,
    filename,
    size: file.sizeBytes,
    url,
    proxy_url: url,
    content_type: file.contentType,
    ...(typeof named?.description === "string" && { description: named.description }),
  };
}
