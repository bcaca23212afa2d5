import { CoreDesk, type CoreDeskOptions } from "./core-desk.ts";
import { aborted, says } from "./played-runtime.ts";

/** A desk whose agent works on "long" until it is stopped. */
export async function openBusy(options: CoreDeskOptions): Promise<CoreDesk> {
  const desk = await new CoreDesk(options).connect();
  desk.runtime.play = async function* ({ input, signal }) {
    const text = input.input[0]?.text ?? "";
    if (text !== "long") return yield* says(`re: ${text}`);
    yield { type: "text", delta: "half" };
    await aborted(signal);
    yield { type: "end", reason: "stopped" };
  };
  return desk;
}
