CREATE TABLE `upload_leases` (
	`id` text PRIMARY KEY NOT NULL,
	`key_prefix` text NOT NULL,
	`envelope_id` integer,
	`user_id` integer,
	`bytes` integer NOT NULL,
	`heartbeat` integer NOT NULL,
	`revoked` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `upload_leases_key_prefix` ON `upload_leases` (`key_prefix`);--> statement-breakpoint
CREATE INDEX `upload_leases_envelope` ON `upload_leases` (`envelope_id`);--> statement-breakpoint
CREATE INDEX `upload_leases_user` ON `upload_leases` (`user_id`);