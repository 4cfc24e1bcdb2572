DROP TABLE first_account;
