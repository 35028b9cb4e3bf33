package io.sdds.sim.load;

import io.sdds.sim.world.Trace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Values that identify their writer and their completeness: a name, and padding that depends on the name. */
class Values {
    private static final byte PADDING = '.';

    private final int paddingMax;
    private final boolean areMixed;

    /** @param areMixed whether each order of length is as frequent as the others; else few values are long */
    Values(int paddingMax, boolean areMixed) {
        this.paddingMax = paddingMax;
        this.areMixed = areMixed;
    }

    /** The value of a name. */
    byte[] bytes(String name) {
        return padded(name);
    }

    /** The name and its padding. */
    final byte[] padded(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] value = Arrays.copyOf(text, text.length + padding(name));
        Arrays.fill(value, text.length, value.length, PADDING);
        return value;
    }

    /** The name of a value; a name that was never written if the value is incomplete. */
    String name(byte[] value) {
        return nameOf(value);
    }

    /** The name of a name and its padding. */
    final String nameOf(byte[] value) {
        int length = 0;
        while (length < value.length && value[length] != PADDING) {
            length++;
        }
        String name = new String(value, 0, length, StandardCharsets.UTF_8);
        return Arrays.equals(value, padded(name)) ? name : "broken value of " + value.length + " bytes: " + name;
    }

    private int padding(String name) {
        if (paddingMax == 0 || !name.startsWith("c")) {
            return 0;
        }
        long draw = Trace.hashOf(name);
        if (areMixed) {
            int order = Math.max(0, paddingMax >>> 2 * (int) (draw >>> 61));
            return order == 0 ? 0 : (int) ((draw & Integer.MAX_VALUE) % order);
        }
        int most = switch ((int) (draw >>> 58)) {
            case 0 -> paddingMax;
            case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 -> Math.min(paddingMax, 200);
            default -> 0;
        };
        return most == 0 ? 0 : (int) ((draw & Integer.MAX_VALUE) % most);
    }
}
