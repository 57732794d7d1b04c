CREATE TABLE `challenges` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer,
	`sid` text,
	`method` text,
	`sealed_code` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `challenges_user` ON `challenges` (`user_id`);--> statement-breakpoint
CREATE INDEX `challenges_expires` ON `challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text DEFAULT '[]' NOT NULL,
	`name` text NOT NULL,
	`backed_up` integer NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credentialId_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	`created_at` text NOT NULL,
	`used_at` text,
	PRIMARY KEY(`user_id`, `code_hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `remembered_devices` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` text NOT NULL,
	`used_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `remembered_devices_user` ON `remembered_devices` (`user_id`);--> statement-breakpoint
CREATE INDEX `remembered_devices_expires` ON `remembered_devices` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_in_links_user` ON `sign_in_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `sign_in_links_expires` ON `sign_in_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `totp` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`sealed_secret` text,
	`confirmed_at` text,
	`last_step` integer DEFAULT 0 NOT NULL,
	`pending_secret` text,
	`pending_expires_at` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `method` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` text;--> statement-breakpoint
ALTER TABLE `users` ADD `passkey_handle` text;
--> statement-breakpoint
CREATE TRIGGER `users_second_factor` AFTER UPDATE OF `password`, `email`, `pending_email` ON `users` WHEN NEW.`password` IS NOT OLD.`password` OR NEW.`email` IS NOT OLD.`email` OR NEW.`pending_email` IS NOT OLD.`pending_email` BEGIN DELETE FROM `remembered_devices` WHERE `user_id` = NEW.`id`; DELETE FROM `challenges` WHERE `user_id` = NEW.`id`; END;
--> statement-breakpoint
CREATE TRIGGER `totp_second_factor` AFTER UPDATE OF `sealed_secret` ON `totp` WHEN (NEW.`sealed_secret` IS NULL) IS NOT (OLD.`sealed_secret` IS NULL) OR NEW.`confirmed_at` IS NOT OLD.`confirmed_at` BEGIN DELETE FROM `remembered_devices` WHERE `user_id` = NEW.`user_id`; DELETE FROM `challenges` WHERE `user_id` = NEW.`user_id`; END;
--> statement-breakpoint
CREATE TRIGGER `totp_second_factor_delete` AFTER DELETE ON `totp` BEGIN DELETE FROM `remembered_devices` WHERE `user_id` = OLD.`user_id`; DELETE FROM `challenges` WHERE `user_id` = OLD.`user_id`; END;
--> statement-breakpoint
CREATE TRIGGER `recovery_codes_second_factor` AFTER INSERT ON `recovery_codes` BEGIN DELETE FROM `remembered_devices` WHERE `user_id` = NEW.`user_id`; DELETE FROM `challenges` WHERE `user_id` = NEW.`user_id`; END;
--> statement-breakpoint
CREATE TRIGGER `recovery_codes_second_factor_delete` AFTER DELETE ON `recovery_codes` BEGIN DELETE FROM `remembered_devices` WHERE `user_id` = OLD.`user_id`; DELETE FROM `challenges` WHERE `user_id` = OLD.`user_id`; END;
--> statement-breakpoint
CREATE TRIGGER `passkeys_second_factor` AFTER INSERT ON `passkeys` BEGIN DELETE FROM `remembered_devices` WHERE `user_id` = NEW.`user_id`; DELETE FROM `challenges` WHERE `user_id` = NEW.`user_id`; END;
--> statement-breakpoint
CREATE TRIGGER `passkeys_second_factor_delete` AFTER DELETE ON `passkeys` BEGIN DELETE FROM `remembered_devices` WHERE `user_id` = OLD.`user_id`; DELETE FROM `challenges` WHERE `user_id` = OLD.`user_id`; END;