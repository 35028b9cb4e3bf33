package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/** What an application gives to a setter of {@link java.sql.PreparedStatement}. */
final class GivenValue {
    private static final String BAD_STREAM = "22000";

    private GivenValue() {}

    /** The value of a call: a number, a text, bytes, or a time without a zone. */
    static @Nullable Object of(String setter, @Nullable Object[] arguments) throws SQLException {
        Object value = setter.equals("setNull") ? null : arguments[1];
        if (value == null) {
            return null;
        }
        if (value instanceof java.util.Date) {
            Calendar calendar = arguments.length > 2 && arguments[2] instanceof Calendar given ? given : null;
            return withoutZone((java.util.Date) value, calendar);
        }
        if (value instanceof Reader || value instanceof InputStream) {
            long length = arguments.length > 2 && arguments[2] instanceof Number given ? given.longValue() : -1;
            return read(value, length, setter.equals("setAsciiStream"));
        }
        if (value instanceof Clob clob) {
            return clob.getSubString(1, Math.toIntExact(clob.length()));
        }
        if (value instanceof SQLXML xml) {
            return xml.getString();
        }
        return value instanceof Blob blob ? blob.getBytes(1, Math.toIntExact(blob.length())) : value;
    }

    private static Object withoutZone(java.util.Date value, @Nullable Calendar calendar) {
        if (value instanceof Date date) {
            return LocalTimes.ofInstant(date, calendar).toLocalDate();
        }
        if (value instanceof Time time) {
            return LocalTimes.ofInstant(time, calendar).toLocalTime();
        }
        return value instanceof Timestamp timestamp
                ? LocalTimes.ofInstant(timestamp, calendar).withNano(timestamp.getNanos())
                : LocalTimes.ofInstant(value, calendar);
    }

    private static Object read(Object stream, long length, boolean isText) throws SQLException {
        try {
            if (stream instanceof Reader reader) {
                StringBuilder text = new StringBuilder();
                for (int c; (length < 0 || text.length() < length) && (c = reader.read()) >= 0; ) {
                    text.append((char) c);
                }
                return text.toString();
            }
            InputStream bytes = (InputStream) stream;
            byte[] all = length < 0 ? bytes.readAllBytes() : bytes.readNBytes(Math.toIntExact(length));
            return isText ? new String(all, StandardCharsets.US_ASCII) : all;
        } catch (IOException e) {
            throw new SQLException("cannot read the stream: " + SqlErrors.line(e), BAD_STREAM, e);
        }
    }
}
