/**
 * Version 8: what somebody has used up on one day, one row for all his conversations and those below them. `counted_at` is that
 * of the row's first count, so that later ones touch no index. What stands in the records is taken over: from here on it is
 * counted in the step that writes them. A part of a token, as a runtime may once have told it, must not keep a gateway from starting.
 */
export const EIGHTH_SCHEMA: string = `
CREATE TABLE day_used (
  subject TEXT NOT NULL, day TEXT NOT NULL, turns INTEGER NOT NULL, tokens INTEGER NOT NULL, cost_usd REAL NOT NULL,
  counted_at INTEGER NOT NULL,
  PRIMARY KEY (subject, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX day_used_by_age ON day_used (counted_at);

INSERT INTO day_used (subject, day, turns, tokens, cost_usd, counted_at)
  SELECT body ->> '$.userId', body ->> '$.dayUsage.day', sum(coalesce(body ->> '$.dayUsage.turns', 0)),
    CAST(sum(coalesce(body ->> '$.dayUsage.tokens', 0)) AS INTEGER), sum(coalesce(body ->> '$.dayUsage.costUsd', 0.0)), max(updated_at)
  FROM sessions WHERE body ->> '$.userId' IS NOT NULL AND body ->> '$.dayUsage.day' IS NOT NULL
  GROUP BY 1, 2;
`;
