CREATE TABLE `renamed_contacts` (
	`id` integer PRIMARY KEY NOT NULL,
	`marked_until` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `contacts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP TRIGGER `contacts_search_update`;
--> statement-breakpoint
CREATE TRIGGER `contacts_search_update` AFTER UPDATE OF `first_name`, `last_name` ON `contacts` WHEN NEW.`first_name` <> OLD.`first_name` OR NEW.`last_name` IS NOT OLD.`last_name` BEGIN INSERT INTO `renamed_contacts` VALUES(NEW.`id`, 0) ON CONFLICT(`id`) DO UPDATE SET `marked_until` = 0; END;
