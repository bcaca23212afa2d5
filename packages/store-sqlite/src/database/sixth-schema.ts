/** Version 6: how urgent what waits is. Most items never have it, so it stands at the end of its row. */
export const SIXTH_SCHEMA: string = `
-- priority: as somebody has set it; NULL: nobody has.
ALTER TABLE items ADD COLUMN priority INTEGER;
`;
