package io.sdds.testkit.check;

import io.sdds.client.HashTable;
import io.sdds.client.SddsException;

/**
 * The only writer of a key, which knows what the key may hold: the value that was acknowledged last, or any later one
 * whose outcome is unknown. Values carry their number and are checked byte for byte. One thread.
 */
public final class SoleWriter {
    private static final int FILLER_CHARS_MAX = 300;
    private static final int FILLER_STEP = 37;

    private final HashTable<String, String> table;
    private final String key;
    private int acknowledged;
    private int attempted;

    /** Nobody else may write the key, and it must be absent. */
    public SoleWriter(HashTable<String, String> table, String key) {
        this.table = table;
        this.key = key;
    }

    /** Puts the next value; a failure leaves its outcome unknown. */
    public void write() {
        attempted++;
        try {
            table.put(key, value(attempted));
            acknowledged = attempted;
        } catch (SddsException e) {
            // the write may have been done, or may be done later
        }
    }

    /**
     * Reads the key and checks the value; a failure of the read is no answer, and passes.
     *
     * @throws AssertionError for a value that the key must not hold
     */
    public void read() {
        try {
            checkNow();
        } catch (SddsException e) {
            // no answer is no wrong answer
        }
    }

    /**
     * Reads the key and checks the value.
     *
     * @throws SddsException when the read fails
     * @throws AssertionError for a value that the key must not hold
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
