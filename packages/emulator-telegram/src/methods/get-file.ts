import { accept, refuseRequest } from "../answers/answer.ts";
import { DOWNLOAD_LIMIT_BYTES } from "../files/file-store.ts";
import type { Method } from "./method.ts";

/** Opens a link for an hour. */
export const getFile: Method = ({ platform, read }) => {
  const fileId = read.text("file_id") ?? "";
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  const file = platform.files.find(fileId);
  if (file === undefined) return refuseRequest("wrong file_id or the file is temporarily unavailable");
  if (file.sizeBytes > DOWNLOAD_LIMIT_BYTES) return refuseRequest("file is too big");
  platform.files.openLink(file, platform.clock.nowMs());
  return accept({
    file_id: file.fileId,
    file_unique_id: file.uniqueId,
    file_size: file.sizeBytes,
    file_path: file.path,
  });
};
