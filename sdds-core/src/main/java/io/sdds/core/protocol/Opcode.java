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

    private Opcode() {}

    /** Whether a frame is a request of a client, which admission control may refuse. */
    public static boolean isRequest(byte opcode) {
        return opcode >= GET && opcode <= CANCEL;
    }

    /** Whether a request has an effect. Such a request carries a request id (session, seq, low). */
    public static boolean isWrite(byte opcode) {
        return opcode >= PUT && opcode <= INCREMENT || opcode >= CLEAR && opcode <= UPDATE && opcode != RANGE;
    }

    /** Whether a request is about an interval of pseudo-keys instead of one key; only for hash tables. */
    public static boolean isInterval(byte opcode) {
        return opcode >= SCAN && opcode <= CLEAR;
    }

    /** Whether a request is about a range of keys that begins at the request's key; only for range tables. */
    public static boolean isRange(byte opcode) {
        return opcode == RANGE || opcode == RANGE_CLEAR;
    }

    /** Whether a request is about one key. */
    public static boolean isOfKey(byte opcode) {
        return isRequest(opcode) && !isInterval(opcode) && !isRange(opcode) && opcode < PROGRAM;
    }

    /** Whether a frame goes from member to member of a replica group or parity group. */
    public static boolean isOfGroup(byte opcode) {
        return opcode >= PREPARE && opcode <= CONFIRMED || isOfParityGroup(opcode);
    }

    /** Whether a frame is about the records of a parity group. */
    public static boolean isOfParityGroup(byte opcode) {
        return opcode >= RANKS_WANTED && opcode <= JOIN;
    }

    /** Whether a frame is about the link itself. Nodes never get such frames. */
    public static boolean isOfLink(byte opcode) {
        return opcode == HELLO || opcode == FRAGMENT || opcode >= PING && opcode <= GOODBYE;
    }

    public static boolean isKnown(byte opcode) {
        return isRequest(opcode)
                || opcode == REPLY
                || opcode >= HELLO && opcode <= CONFIRMED
                || isOfParityGroup(opcode);
    }
}
