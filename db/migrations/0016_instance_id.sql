CREATE TABLE `instance` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL
);
