package io.sdds.core.protocol;

/** The statuses of replies. Codes are never reused. */
public final class Status {
    /** Done. A write's result is in the body. */
    public static final byte OK = 0;
    /** No record has the key. A conditional write that needed one had no effect. */
    public static final byte ABSENT = 1;
    /** The condition of a conditional write did not hold: no effect. */
    public static final byte CONDITION_FALSE = 2;
    /** An increment met a value that is no 64-bit decimal number, or its sum would not be one: no effect. */
    public static final byte NOT_A_NUMBER = 3;
    /**
     * The program of an UPDATE has no result for its record: no effect. The body has the error in place of a version,
     * as {@link io.sdds.core.query.UpdateFailure} tells.
     */
    public static final byte UPDATE_FAILED = 4;
    /** Refused by admission control; no effect; the body has a hint in milliseconds. */
    public static final byte BUSY = 16;
    /** Refused because memory is full; no effect; reads and removes go on. */
    public static final byte MEMORY_FULL = 17;
    /** This brick can't forward the request; no effect; the body has the brick's map version. */
    public static final byte REDIRECT = 18;
    /** The table does not exist (any more); no effect. */
    public static final byte NO_SUCH_TABLE = 19;
    /**
     * The write's request id is below its session's low, or the session has ended. The write does not run now, but may
     * have run before.
     */
    public static final byte STALE_REQUEST = 20;
    /** The partition's only memory is lost; no effect. */
    public static final byte LOST = 21;
    /** The request's deadline passed before it was begun; no effect. */
    public static final byte DEADLINE = 22;
    /**
     * The request is malformed, for example with a filter that can't be read or an interval outside the space; no
     * effect; the body has the reason.
     */
    public static final byte BAD_REQUEST = 23;
    /**
     * A brick that forwarded the request lost the link to the next brick, or got no answer by the deadline. The effect
     * may have happened.
     */
    public static final byte UNKNOWN = 24;

    /**
     * The partition has fewer copies than its table asks for: writes are refused until there are more; no effect. If it
     * has fewer parities than its table asks for, the body has them ({@link MissingParities}).
     */
    public static final byte TOO_FEW_COPIES = 25;

    /** The brick failed before it had changed anything; no effect. The brick's log has the cause. */
    public static final byte INTERNAL_ERROR = 26;

    /**
     * A shipped program has no result: a value that is used is an error for a record, or the result is too long; no
     * effect. The body has a text that names the error and the key of the record. The same request fails again.
     */
    public static final byte QUERY_FAILED = 27;

    /**
     * A shipped program is of a later version than the brick knows; no effect; the body has a text. The client
     * evaluates the program itself.
     */
    public static final byte UNSUPPORTED_PROGRAM = 28;

    /**
     * A SCAN or RANGE names a program that the brick does not keep; no effect. The client sends the program to the
     * brick, and asks again.
     */
    public static final byte NO_PROGRAM = 29;

    /**
     * The process of the brick fails because of the request, and ends. The effect may have happened. A client that has
     * got this status from two bricks gives the request up.
     */
    public static final byte FATAL = 30;

    private Status() {}

    /**
     * Whether the copy of a request with this status certainly had no effect, so that the request may be sent again.
     */
    public static boolean isRefusal(byte status) {
        return status == BUSY || status == REDIRECT || status == DEADLINE;
    }
}
