/**
 * Version 5: messages that are sent first and edited into their text later. What a plain message never has stands at the end
 * of its row and is indexed only where it is there.
 */
export const FIFTH_SCHEMA: string = `
-- claims: the id of the row whose message this one is edited into. anchor_id: the platform's id of its own first message.
ALTER TABLE deliveries ADD COLUMN claims TEXT;
ALTER TABLE deliveries ADD COLUMN anchor_id TEXT;
CREATE UNIQUE INDEX deliveries_by_claim ON deliveries (claims) WHERE claims IS NOT NULL;
`;
