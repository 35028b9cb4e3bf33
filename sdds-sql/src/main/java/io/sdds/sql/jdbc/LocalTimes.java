package io.sdds.sql.jdbc;

import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times of SQL, which have no zone, as the classes of {@code java.sql}, which are moments. The zone is that
 * of the calendar that an application gives, else that of the Java process.
 */
final class LocalTimes {
    private LocalTimes() {}

    private static ZoneId zone(@Nullable Calendar calendar) {
        return calendar == null
                ? ZoneId.systemDefault()
                : calendar.getTimeZone().toZoneId();
    }

    static LocalDateTime ofInstant(java.util.Date moment, @Nullable Calendar calendar) {
        return LocalDateTime.ofInstant(Instant.ofEpochMilli(moment.getTime()), zone(calendar));
    }

    static @Nullable Timestamp timestamp(@Nullable LocalDateTime time, @Nullable Calendar calendar) {
        return time == null ? null : Timestamp.from(time.atZone(zone(calendar)).toInstant());
    }

    /** The day of a time. */
    static @Nullable Date date(@Nullable LocalDateTime time, @Nullable Calendar calendar) {
        return time == null ? null : new Date(millis(time.toLocalDate().atStartOfDay(), calendar));
    }

    /** The time of day. */
    static @Nullable Time time(@Nullable LocalDateTime time, @Nullable Calendar calendar) {
        return time == null ? null : new Time(millis(time.toLocalTime().atDate(LocalDate.EPOCH), calendar));
    }

    private static long millis(LocalDateTime time, @Nullable Calendar calendar) {
        return time.atZone(zone(calendar)).toInstant().toEpochMilli();
    }
}
