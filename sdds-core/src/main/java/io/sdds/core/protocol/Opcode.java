package io.sdds.core.protocol;

/** The types of frames: the first byte after a frame's length. Codes are never reused. */
public final class Opcode {
    // Requests of clients, also when bricks forward them.
    public static final byte GET = 1;
    public static final byte PUT = 2;
    public static final byte PUT_IF_ABSENT = 3;
    public static final byte REPLACE = 4;
    public static final byte COMPARE_AND_SET = 5;
    public static final byte REMOVE = 6;
    public static final byte INCREMENT = 7;
    public static final byte SCAN = 8;
    public static final byte SIZE = 9;
    public static final byte CLEAR = 10;
    public static final byte TOUCH = 11;
    public static final byte RANGE = 12;
    public static final byte RANGE_CLEAR = 13;
    public static final byte UPDATE = 14;

    /** A part of a program for the brick that the link leads to, which keeps the program under its hash. */
    public static final byte PROGRAM = 15;

    /**
     * The client no longer needs the answer to a SCAN or RANGE that it sent over the same link, the one with the same
     * correlation id. The brick answers that request soon, and not the CANCEL.
     */
    public static final byte CANCEL = 16;

    public static final byte REPLY = 32;

    // Protocol traffic, which is never shed.
    public static final byte HELLO = 48;
    public static final byte FRAGMENT = 49;
    public static final byte CONTROL = 50;
    public static final byte SLICE = 51;
    public static final byte PING = 52;
    public static final byte PONG = 53;
    public static final byte GOODBYE = 54;
    public static final byte PREPARE = 55;
    public static final byte VOTE = 56;
    public static final byte CONFIRM = 57;
    public static final byte CONFIRMED = 58;

    /** A batch of whole frames: {@link BatchFrame}. */
    public static final byte BATCH = 59;

    // Protocol traffic between the members of a parity group, which is never shed.
    public static final byte RANKS_WANTED = 60;
    public static final byte RANKS = 61;
    public static final byte RESIDUES = 62;
    public static final byte COLUMN_WANTED = 63;
    public static final byte COLUMN = 64;
    public static final byte JOIN_WANTED = 65;
    public static final byte JOIN = 66;

    // What is true of an opcode. Everything else that depends on opcodes follows from these bits.
    private static final int KNOWN = 1;
    private static final int REQUEST = 1 << 1;
    private static final int WRITE = 1 << 2;
    private static final int KEY = 1 << 3;
    private static final int INTERVAL = 1 << 4;
    private static final int RANGE_OF_KEYS = 1 << 5;
    private static final int FORWARDED = 1 << 6;
    private static final int GROUP = 1 << 7;
    private static final int PARITY_GROUP = 1 << 8;
    private static final int LINK = 1 << 9;

    private static final int CODES = 1 << Byte.SIZE;

    /** The bits of each opcode, and the flags of {@link RequestFrame} that the request takes in the upper half. */
    private static final int[] PROPERTIES = new int[CODES];

    private static final int FLAGS_SHIFT = 16;

    static {
        int read = REQUEST | FORWARDED;
        int write = read | WRITE;
        int interval = RequestFrame.FLAG_INCLUSIVE | RequestFrame.FLAG_END_INCLUSIVE;
        is(GET, read | KEY, RequestFrame.FLAG_TTL | RequestFrame.FLAG_HEAD);
        is(PUT, write | KEY, RequestFrame.FLAG_TTL);
        is(PUT_IF_ABSENT, write | KEY, RequestFrame.FLAG_TTL);
        is(REPLACE, write | KEY, RequestFrame.FLAG_TTL | RequestFrame.FLAG_VERSION);
        is(COMPARE_AND_SET, write | KEY, RequestFrame.FLAG_TTL);
        is(REMOVE, write | KEY, RequestFrame.FLAG_VERSION);
        is(INCREMENT, write | KEY, RequestFrame.FLAG_TTL | RequestFrame.FLAG_INT64);
        is(TOUCH, write | KEY, RequestFrame.FLAG_TTL | RequestFrame.FLAG_VERSION);
        is(UPDATE, write | KEY, 0);
        is(SCAN, read | INTERVAL, 0);
        is(SIZE, read | INTERVAL, 0);
        is(CLEAR, write | INTERVAL, 0);
        is(
                RANGE,
                read | RANGE_OF_KEYS,
                interval | RequestFrame.FLAG_DESCENDING | RequestFrame.FLAG_PARALLEL | RequestFrame.FLAG_FOUND_ONLY);
        is(RANGE_CLEAR, write | RANGE_OF_KEYS, interval);
        is(PROGRAM, REQUEST, 0);
        is(CANCEL, REQUEST, RequestFrame.FLAG_MULTICAST);
        areAll(LINK, HELLO, FRAGMENT, PING, PONG, GOODBYE);
        areAll(GROUP, PREPARE, VOTE, CONFIRM, CONFIRMED);
        areAll(GROUP | PARITY_GROUP, RANKS_WANTED, RANKS, RESIDUES, COLUMN_WANTED, COLUMN, JOIN_WANTED, JOIN);
        areAll(0, REPLY, CONTROL, SLICE);
    }

    private static void is(byte opcode, int properties, int flags) {
        PROPERTIES[opcode & 0xff] = KNOWN | properties | flags << FLAGS_SHIFT;
    }

    private static void areAll(int properties, byte... opcodes) {
        for (byte opcode : opcodes) {
            is(opcode, properties, 0);
        }
    }

    private Opcode() {}

    private static boolean has(byte opcode, int property) {
        return (PROPERTIES[opcode & 0xff] & property) != 0;
    }

    /** Whether a frame is a request of a client, which admission control may refuse. */
    public static boolean isRequest(byte opcode) {
        return has(opcode, REQUEST);
    }

    /** Whether a brick may send on a request of a client to another brick. */
    public static boolean isForwarded(byte opcode) {
        return has(opcode, FORWARDED);
    }

    /** Whether a request has an effect. Such a request carries a request id (session, seq, low). */
    public static boolean isWrite(byte opcode) {
        return has(opcode, WRITE);
    }

    /** Whether a request is about an interval of pseudo-keys instead of one key; only for hash tables. */
    public static boolean isInterval(byte opcode) {
        return has(opcode, INTERVAL);
    }

    /** Whether a request is about a range of keys that begins at the request's key; only for range tables. */
    public static boolean isRange(byte opcode) {
        return has(opcode, RANGE_OF_KEYS);
    }

    /** Whether a request is about one key. */
    public static boolean isOfKey(byte opcode) {
        return has(opcode, KEY);
    }

    /** The flags of {@link RequestFrame} that a request may have, beside those of all range tables. */
    static int flags(byte opcode) {
        return PROPERTIES[opcode & 0xff] >>> FLAGS_SHIFT;
    }

    /** Whether a frame goes from member to member of a replica group or parity group. */
    public static boolean isOfGroup(byte opcode) {
        return has(opcode, GROUP);
    }

    /** Whether a frame is about the records of a parity group. */
    public static boolean isOfParityGroup(byte opcode) {
        return has(opcode, PARITY_GROUP);
    }

    /** Whether a frame is about the link itself. Nodes never get such frames. */
    public static boolean isOfLink(byte opcode) {
        return has(opcode, LINK);
    }

    /** Whether a frame may come outside of a batch, or in one; {@link #BATCH} itself may not. */
    public static boolean isKnown(byte opcode) {
        return has(opcode, KNOWN);
    }
}
