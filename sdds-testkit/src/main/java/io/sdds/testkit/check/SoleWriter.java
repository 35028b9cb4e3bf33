package io.sdds.testkit.check;

import io.sdds.client.HashTable;
import io.sdds.client.SddsException;

/**
 * The only writer of a key. So the writer knows all possible values of the key: the last acknowledged value, or any
 * later value of unknown outcome. Values contain their number and are checked byte for byte. For one thread.
 */
public final class SoleWriter {
    private static final int FILLER_CHARS_MAX = 300;
    private static final int FILLER_STEP = 37;

    private final HashTable<String, String> table;
    private final String key;
    private int acknowledged;
    private int attempted;

    /** Creates the writer of an absent key. No other client may write the key. */
    public SoleWriter(HashTable<String, String> table, String key) {
        this.table = table;
        this.key = key;
    }

    /** Puts the next value. After a failure the outcome is unknown. */
    public void write() {
        attempted++;
        try {
            table.put(key, value(attempted));
            acknowledged = attempted;
        } catch (SddsException e) {
            // the write may have taken effect, or may take effect later
        }
    }

    /**
     * Reads the key and checks the value. Ignores a failure of the read.
     *
     * @throws AssertionError if the key holds an impossible value
     */
    public void read() {
        try {
            checkNow();
        } catch (SddsException e) {
            // a failed read is not a wrong answer
        }
    }

    /**
     * Reads the key and checks the value.
     *
     * @throws SddsException if the read fails
     * @throws AssertionError if the key holds an impossible value
     */
    public void checkNow() {
        String found = table.get(key);
        int number = found == null ? 0 : Integer.parseInt(found.substring(found.lastIndexOf('-') + 1));
        if (found != null && !found.equals(value(number))) {
            throw new AssertionError("key " + key + " holds a value that was never written: " + found);
        }
        if (number < acknowledged || number > attempted) {
            throw new AssertionError("key " + key + " holds value " + number + "; value " + acknowledged
                    + " was acknowledged, and " + attempted + " was written last");
        }
    }

    private String value(int number) {
        return key + "-" + "x".repeat(number * FILLER_STEP % FILLER_CHARS_MAX) + "-" + number;
    }
}
