/**
 * Version 7: timers that wait for the turn of an item. Few are armed at a time, so each end of an item finds an index that is
 * almost empty.
 */
export const SEVENTH_SCHEMA: string = `
ALTER TABLE timers ADD COLUMN item_seq INTEGER;
CREATE INDEX timers_by_item ON timers (item_seq) WHERE item_seq IS NOT NULL;
-- A turn is over in many ways; none of them can forget what waits for it. States: 0 waits, 1 runs. wake 1: only appended.
CREATE TRIGGER items_over AFTER UPDATE OF state, wake ON items WHEN NEW.state NOT IN (0, 1) OR NEW.wake IS 1
BEGIN
  UPDATE timers SET due_at = armed_at WHERE item_seq = NEW.seq;
END;
`;
