/** Version 9: deaths of the process in a row at which an item was active, without progress between them. */
export const NINTH_SCHEMA: string = `
ALTER TABLE items ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
`;
