ALTER TABLE `email_reverts` ADD `verified_by_owner` integer DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE `email_reverts` SET `verified_by_owner` = (SELECT `is_verified` AND `verified_by_owner` FROM `users` WHERE `users`.`id` = `user_id`);