CREATE TABLE `webhook_snapshot_parts` (
	`envelope_id` integer NOT NULL,
	`part` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`envelope_id`, `part`),
	FOREIGN KEY (`envelope_id`) REFERENCES `webhook_snapshots`(`envelope_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- By hand: drizzle-kit splits an expression at its commas.
CREATE INDEX `destinations_place` ON `destinations` (lower(rtrim(kind || ':/' || coalesce(substr(settings ->> '$.url', 1, min(instr((settings ->> '$.url') || '?', '?'), instr((settings ->> '$.url') || '#', '#')) - 1), settings ->> '$.path', json_remove(settings, '$.placedBy') || coalesce(account, '')), '/')) || '/');