UPDATE `users` SET `is_first` = (`id` = 1 AND `email` <> 'demo@example.com') WHERE `is_first` IS NULL;
