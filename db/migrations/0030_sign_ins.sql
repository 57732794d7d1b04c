CREATE TABLE `sign_ins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`at` text NOT NULL,
	`method` text NOT NULL,
	`second_factor` text,
	`address` text NOT NULL,
	`user_agent` text NOT NULL,
	`succeeded` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_ins_user` ON `sign_ins` (`user_id`);--> statement-breakpoint
CREATE INDEX `sign_ins_at` ON `sign_ins` (`at`);