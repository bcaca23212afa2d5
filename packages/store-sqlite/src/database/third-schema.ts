/**
 * Version 3: what was said at an address is found piece by piece of 1,024 numbers. An index by address alone is written
 * all over with every message; of these only the last piece is, a few pages that a batch has in common.
 */
export const THIRD_SCHEMA: string = `
DROP INDEX items_by_address;
DROP INDEX items_by_native_id;
DROP INDEX deliveries_by_address;
CREATE INDEX items_by_piece ON items (seq >> 10, address) WHERE kind < 2;
CREATE INDEX deliveries_by_piece ON deliveries (pos >> 10, address);
`;
