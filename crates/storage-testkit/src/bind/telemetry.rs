//! The tests of devices, API keys and readings.

/// Binds the store suite's tests of telemetry. Part of
/// [`store_conformance!`](crate::store_conformance).
#[doc(hidden)]
#[macro_export]
macro_rules! telemetry_conformance {
    ($make:path) => {
        $crate::bind_conformance! { $make; telemetry;
            activity:
                p39_data_moves_the_last_sight_of_a_device_once_a_minute
                p39_a_registration_always_moves_it
                p39_each_device_of_a_request_is_seen_also_with_duplicates;
            batch_ids:
                p41_every_batch_id_is_told_apart_whatever_it_looks_like
                p41_a_batch_id_is_its_households_own
                p41_a_batch_id_is_remembered_for_30_days
                p41_a_forgotten_batch_id_may_be_used_for_another_time;
            charts:
                p46_a_series_is_what_a_plain_fold_says
                p46_a_series_ends_exactly_at_its_ends
                p46_the_latest_reading_is_the_newest_whenever_it_came
                p46_when_the_latest_reading_has_expired_the_one_before_is_it;
            devices:
                p36_devices_are_listed_most_recently_seen_first
                p36_a_list_shows_devices_as_they_are
                p36_a_page_goes_on_behind_a_device_that_moved
                p36_each_household_sees_its_own_devices_and_the_operator_all
                p37_a_device_is_given_another_name_or_none
                p37_a_reading_carries_the_name_of_its_time;
            expiring:
                p43_a_reading_is_gone_from_the_second_it_expires
                p43_what_expired_before_it_came_is_acknowledged_and_not_kept
                p43_each_reading_is_kept_as_long_as_was_said_when_it_came
                p43_pages_go_on_past_the_expired;
            isolation:
                p47_another_households_devices_and_readings_cannot_be_seen
                p47_the_operator_may_name_everybodys_devices;
            keys:
                p38_a_key_is_found_by_its_hash_as_it_was_made
                p38_keys_are_listed_newest_first_with_the_revoked
                p38_a_revoked_key_is_known_as_one_at_once_and_for_good
                p39_a_use_of_a_key_is_noted_every_five_minutes
                p39_uses_of_a_key_at_once_disturb_nobody
                p38_each_household_sees_its_own_keys_and_the_operator_all;
            once:
                p40_a_reading_is_kept_as_it_came
                p40_each_reading_of_a_request_is_answered_in_order
                p40_a_duplicate_changes_nothing
                p40_a_request_holds_readings_of_several_devices;
            ranges:
                p44_both_ends_of_a_range_belong_to_it
                p44_readings_of_one_millisecond_stand_in_the_order_of_their_ids
                p44_a_page_continues_behind_a_place_where_nothing_is
                p44_the_first_and_the_last_time_there_is_can_be_read
                p44_pages_of_every_size_lose_and_repeat_nothing;
            refusing:
                p42_a_request_with_a_device_that_is_not_ones_own_is_refused_whole
                p42_a_device_may_send_as_soon_as_it_is_registered;
            registration:
                p34_a_device_is_found_as_it_registered
                p34_a_device_may_say_as_much_as_the_rules_allow
                p34_registering_again_changes_what_the_device_says_and_nothing_else
                p34_of_32_first_registrations_at_once_all_are_told_the_same
                p35_a_device_is_never_taken_over
                p35_of_owners_who_register_one_device_at_once_one_gets_it;
            resending:
                p40_clients_who_resend_at_once_leave_each_reading_once
                p40_of_devices_that_use_one_batch_id_at_once_one_is_heard;
            values:
                p45_values_come_back_bit_for_bit
                p45_any_value_comes_back_bit_for_bit
                p45_a_reading_has_up_to_64_sensors_of_any_name
                p45_sensors_come_and_go_between_readings
                p45_boot_and_firmware_are_those_of_the_reading;
        }
    };
}
