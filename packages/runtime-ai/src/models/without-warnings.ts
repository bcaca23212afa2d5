import { type LanguageModel, wrapLanguageModel } from "ai";

/** A model as the AI SDK wraps it; its own gateway's names are none of ours. */
export type OpenModel = Parameters<typeof wrapLanguageModel>[0]["model"];

/** The SDK prints what a model warns of on standard error, which is the log's: it is told of here instead, once each. */
export function withoutWarnings(model: OpenModel, tell: (warning: string) => void): LanguageModel {
  const told = new Set<string>();
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        const quiet = stream.pipeThrough(
          new TransformStream({
            transform(part, controller) {
              if (part.type !== "stream-start") return controller.enqueue(part);
              for (const warning of part.warnings) tellOnce(JSON.stringify(warning));
              controller.enqueue({ ...part, warnings: [] });
            },
          }),
        );
        return { ...rest, stream: quiet };
      },
    },
  });

  function tellOnce(warning: string): void {
    if (told.has(warning)) return;
    told.add(warning);
    tell(warning);
  }
}
