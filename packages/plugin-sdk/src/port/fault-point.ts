/**
 * A named place where a process may die. A no-op in the product; an embedding test passes one that kills the process,
 * or throws, at the point it asks for.
 */
export type FaultPoint = (name: string) => void;
