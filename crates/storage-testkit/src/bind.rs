//! The lists of tests, and the macros that bind them to an engine.

/// Binds every test of a list to a function that makes a harness.
#[doc(hidden)]
#[macro_export]
macro_rules! bind_conformance {
    ($make:path; $suite:ident; $($module:ident: $($test:ident)+;)+) => {$(
        mod $module {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                $crate::$suite::$module::$test(&$make().await).await;
            }
        )+}
    )+};
}

/// Binds the record-engine suite: `record_engine_conformance!(crate::make)`, where `make` is an async
/// function that answers with a fresh [`EngineHarness`](crate::EngineHarness).
#[macro_export]
macro_rules! record_engine_conformance {
    ($make:path) => {
        $crate::bind_conformance! { $make; record;
            conditions:
                r03_every_condition_holds_for_what_it_says_and_nothing_else
                r03_several_conditions_of_one_action_must_all_hold
                r03_a_refusal_names_the_first_failed_action_and_shows_its_record
                r03_conditions_see_the_state_before_the_transaction;
            expiry:
                r09_a_record_is_gone_from_the_second_it_expires
                r09_conditions_take_the_expired_for_absent
                r09_an_update_of_the_expired_starts_anew
                r09_a_later_expiry_keeps_a_record
                r09_pages_go_on_past_the_expired
                r09_only_tables_that_say_so_expire_records;
            indexes:
                r06_an_index_comes_to_show_what_was_written
                r06_a_record_without_both_keys_is_not_in_the_index
                r06_a_record_moves_within_and_between_index_partitions
                r13_equal_index_keys_stand_together_in_an_order_that_stays
                r12_an_index_query_reads_the_part_it_asks_for
                r20_the_relational_table_is_read_by_its_own_indexes;
            journal:
                r15_the_journal_holds_each_change_once_with_old_and_new
                r15_an_entry_says_who_and_when
                r15_what_changed_nothing_is_not_in_the_journal
                r15_one_transaction_tells_of_all_its_changes
                r16_the_journal_of_a_record_is_newest_first_and_pages
                r17_sequence_numbers_grow_and_the_journal_pages_by_them
                r17_a_reader_who_follows_concurrent_writers_misses_nothing
                r18_a_commit_wakes_those_who_watch_its_partition;
            limits:
                r14_a_transaction_holds_what_the_engine_says_and_never_more_than_100
                r14_a_transaction_touches_a_record_at_most_once
                r14_a_record_holds_400_kilobytes_and_no_more
                r22_an_engine_says_that_it_is_ready;
            random_transactions:
                r21_random_transactions_end_as_on_the_reference_engine;
            ranges:
                r11_sort_keys_stand_in_the_order_of_their_bytes
                r12_a_query_reads_the_part_it_asks_for
                r12_a_prefix_reaches_the_last_character_there_is
                r13_pages_of_every_size_lose_and_repeat_nothing
                r13_a_page_continues_behind_what_is_gone
                r13_a_page_within_a_part_stays_in_it
                r13_the_largest_page_is_bounded_and_continues
                r20_a_key_is_another_in_another_table_and_partition;
            transactions:
                r01_a_transaction_happens_whole_or_not_at_all
                r01_a_transaction_may_span_partitions_and_tables
                r04_of_many_who_claim_one_key_exactly_one_wins
                r04_concurrent_deltas_of_one_number_are_all_counted
                r04_concurrent_takers_stop_exactly_at_the_floor
                r04_a_conflict_fails_its_own_writer_only
                r05_reads_of_the_table_see_every_acknowledged_write
                r08_put_replaces_the_whole_record
                r08_update_makes_what_is_not_there
                r08_changes_apply_in_order_and_leave_the_rest
                r08_deleting_what_is_not_there_is_no_failure
                r19_a_commit_answers_with_what_each_action_left
                r19_a_put_can_hold_what_another_action_left;
            values:
                r07_numbers_are_exact_to_38_digits
                r07_sums_are_exact
                r07_a_sum_that_does_not_fit_is_refused_and_changes_nothing
                r10_texts_come_back_byte_for_byte
                r10_keys_are_told_apart_by_every_byte
                r10_every_kind_of_value_comes_back;
        }
    };
}

/// Binds the store suite: `store_conformance!(crate::make)`, where `make` is an async function that answers
/// with a fresh [`StoreHarness`](crate::StoreHarness).
#[macro_export]
macro_rules! store_conformance {
    ($make:path) => {
        $crate::bind_conformance! { $make; ports;
            accounts:
                p01_a_registered_person_is_found_as_they_registered
                p01_an_address_is_one_persons_whatever_its_case
                p01_of_many_who_register_one_address_exactly_one_succeeds
                p01_an_external_identity_is_one_persons
                p03_a_person_is_read_with_the_membership_that_holds_now;
            adding:
                p07_an_item_is_found_at_once_and_exactly_as_added
                p17_texts_come_back_byte_for_byte
                p07_undated_goods_of_one_name_merge
                p07_another_date_is_another_item
                p07_case_width_and_blanks_make_no_other_item
                p07_units_convert_exactly_or_refuse
                p07_too_much_is_refused_and_changes_nothing
                p07_a_deleted_or_renamed_item_frees_its_name
                p16_what_two_people_keep_for_themselves_stays_apart
                p07_a_reference_to_nothing_is_refused_even_where_it_would_merge;
            adjusting:
                p08_an_adjustment_answers_with_what_it_left
                p08_taking_stops_at_zero_and_says_what_was_taken
                p08_too_much_is_refused_and_changes_nothing
                p08_what_is_not_there_cannot_be_adjusted;
            changes:
                p15_changes_are_told_in_order_with_old_and_new
                p15_changes_of_the_household_and_its_places_are_told
                p15_a_new_listener_starts_at_the_head
                p15_a_listener_misses_nothing_of_concurrent_writers
                p18_a_store_says_that_it_is_ready;
            concurrency:
                p08_64_who_add_the_same_at_once_make_one_item_with_the_exact_sum
                p08_64_who_add_in_two_units_at_once_make_the_exact_sum
                p08_64_who_take_one_of_32_take_32
                p08_takers_near_the_floor_leave_nothing_uncounted
                p09_of_64_who_replace_one_version_one_succeeds
                p09_of_64_who_take_one_name_one_succeeds;
            history:
                p11_the_history_is_newest_first_complete_and_outlives_the_item
                p11_what_changed_nothing_leaves_no_trace;
            households:
                p03_a_household_is_found_as_it_was_founded
                p03_a_person_belongs_to_one_household
                p03_a_person_in_a_hurry_still_belongs_to_one_household
                p03_a_household_changes_only_what_the_patch_names
                p04_an_invite_code_opens_one_household
                p04_a_replaced_code_is_dead_at_once
                p04_a_replaced_code_may_be_used_by_another_household
                p04_a_household_that_is_not_there_gets_no_code;
            idempotency:
                p14_a_repeated_add_changes_nothing_and_its_first_result_stays
                p14_a_merge_and_an_adjustment_are_remembered_as_they_were
                p14_households_codes_and_places_are_remembered
                p14_what_was_refused_uses_no_key
                p14_a_key_is_its_users_own
                p14_a_key_may_be_used_again_when_its_time_has_passed
                p14_of_many_repetitions_at_once_one_happens;
            listing:
                p12_every_filter_and_order_shows_what_the_rules_say
                p12_pages_of_every_size_lose_and_repeat_nothing
                p12_a_rare_match_is_found_far_down
                p12_a_page_goes_on_behind_what_is_gone_or_new
                p12_an_empty_inventory_is_one_empty_page;
            members:
                p05_members_are_listed_in_the_order_of_their_ids
                p05_the_last_admin_stays_admin
                p05_a_role_that_is_held_already_may_be_given_again
                p05_admins_who_all_leave_at_once_leave_one_behind
                p05_who_is_no_member_cannot_be_changed
                p05_who_left_may_join_again;
            moving:
                p06_without_the_wish_own_items_stay
                p06_items_move_as_they_were
                p06_what_the_household_has_already_is_merged_or_kept
                p06_an_interrupted_move_goes_on_where_it_stopped
                p06_moves_at_once_count_each_item_once;
            places:
                p13_locations_are_added_changed_and_listed_by_id
                p13_shops_are_added_changed_and_listed_by_id
                p13_a_name_is_one_places_whatever_its_case_and_width
                p13_of_many_who_add_one_shop_exactly_one_succeeds
                p13_a_deleted_place_is_gone_its_name_free_and_its_items_without_it
                p13_a_place_with_more_items_than_a_transaction_holds_is_deleted
                p13_items_refer_only_to_places_that_exist
                p13_no_item_keeps_a_place_that_is_deleted_meanwhile;
            random_commands:
                p19_random_commands_answer_as_the_rules_say;
            replacing:
                p09_a_replacement_changes_what_it_says_and_counts_up
                p09_a_stale_version_is_refused_with_what_is_there
                p09_another_items_name_and_date_are_refused
                p09_an_item_keeps_its_own_name_in_another_spelling
                p09_merging_leaves_the_other_item_with_both_quantities
                p09_a_merge_that_cannot_be_changes_nothing
                p09_merge_without_another_item_is_a_replacement
                p10_a_deleted_item_is_gone_and_answered_once;
            sessions:
                p02_each_token_is_good_once
                p02_a_token_that_comes_back_ends_the_session
                p02_of_many_who_present_one_token_one_succeeds_and_the_session_ends
                p02_an_ended_or_expired_session_is_unknown
                p02_only_a_token_of_the_session_ends_it;
            tenancy:
                p16_another_households_items_cannot_be_touched
                p16_another_households_places_cannot_be_touched
                p16_the_same_names_live_side_by_side
                p16_another_households_members_cannot_be_touched
                p16_another_households_changes_are_not_heard;
        }
    };
}
