/** One piece of work after the other. */
export type ThreadLine = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createThreadLine(): ThreadLine {
  let line: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = line.then(work);
    line = done.catch(() => undefined);
    return done;
  };
}
