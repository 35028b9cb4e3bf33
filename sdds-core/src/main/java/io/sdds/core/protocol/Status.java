package io.sdds.core.protocol;

/** What a reply says of its request. Codes are never reused. */
public final class Status {
    /** Done. A write's result is in the body. */
    public static final byte OK = 0;
    /** No record has the key. A conditional write that needed one had no effect. */
    public static final byte ABSENT = 1;
    /** The condition of a conditional write did not hold: no effect. */
    public static final byte CONDITION_FALSE = 2;
    /** An increment met a value that is no 64-bit decimal number, or its sum would not be one: no effect. */
    public static final byte NOT_A_NUMBER = 3;
    /** Refused at the door of a queue; no effect; the body has a hint in milliseconds. */
    public static final byte BUSY = 16;
    /** Refused for want of memory; no effect; reads and removes go on. */
    public static final byte MEMORY_FULL = 17;
    /** This brick can't bring the request further; no effect; the body has its map version. */
    public static final byte REDIRECT = 18;
    /** The table does not exist (any more); no effect. */
    public static final byte NO_SUCH_TABLE = 19;
    /**
     * The write's request id is below its session's low, or the session has ended: never run now, may have run before.
     */
    public static final byte STALE_REQUEST = 20;
    /** The partition's only memory is lost; no effect. */
    public static final byte LOST = 21;
    /** The request's deadline passed before it was begun; no effect. */
    public static final byte DEADLINE = 22;
    /**
     * The request makes no sense (a filter that can't be read, an interval outside the space); no effect; the body says
     * why.
     */
    public static final byte BAD_REQUEST = 23;
    /**
     * A brick on the way lost touch with the next one, or heard nothing from it by the deadline: the effect may have
     * happened.
     */
    public static final byte UNKNOWN = 24;

    /** The partition has fewer copies than its table asks for: writes are refused until there are more; no effect. */
    public static final byte TOO_FEW_COPIES = 25;

    /** The brick failed at the request before it had changed anything; no effect. The brick's log says more. */
    public static final byte INTERNAL_ERROR = 26;

    private Status() {}

    /** Whether a request answered so certainly had no effect by this copy of it, and may be tried again. */
    public static boolean isRefusal(byte status) {
        return status == BUSY || status == REDIRECT || status == DEADLINE;
    }
}
