package io.sdds.core.protocol;

/**
 * First frame on a link, from both ends: who speaks, and in which version. The dialer speaks first; the other end answers with its own or closes.
 *
 * @param protocolVersion {@link Limits#PROTOCOL_VERSION}; another version is refused
 * @param name the operator's name of a brick or coordinator; what a client calls itself
 * @param incarnation of a brick, 0 before its registration; the token of a client that sends datagrams ({@link DatagramFrame}); 0 for others
 */
public record Hello(int protocolVersion, Role role, String name, long incarnation) {

    /** What speaks at an end of a link. */
    public enum Role {
        CLIENT,
        BRICK,
        /** A brick's second connection to another: slices and their changes, so that they never delay protocol traffic. */
        BRICK_BULK,
        COORDINATOR
    }

    /** First bytes after the opcode word: anything else is not this protocol. */
    public static final int MAGIC = 0x53444453;

    public static Hello of(Role role, String name, long incarnation) {
        return new Hello(Limits.PROTOCOL_VERSION, role, name, incarnation);
    }
}
