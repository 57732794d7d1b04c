ALTER TABLE `idempotency_keys` ADD `claimed_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `resource` text;