package io.sdds.core.control;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The roles from which each kind of node takes each frame and each control message. Any other frame or message violates
 * the protocol, and its link is closed. The role of a peer is the role in its hello.
 */
public final class Roles {
    private static final int OPCODES = 96;
    private static final Role[] EVERY = Role.values();

    /** The roles that may send each opcode to each role, as bits. */
    private static final byte[][] FRAMES = new byte[EVERY.length][OPCODES];

    private static final Map<Taken, Set<Role>> MESSAGES = new HashMap<>();

    /** A control message type of a kind that a role takes. */
    private record Taken(Role taker, byte kind, Class<? extends ControlMessage> type) {}

    static {
        for (byte opcode = 0; opcode < OPCODES; opcode++) {
            if (Opcode.isForwarded(opcode)) {
                frames(Role.BRICK, opcode, Role.CLIENT, Role.BRICK);
            } else if (Opcode.isRequest(opcode)) {
                frames(Role.BRICK, opcode, Role.CLIENT);
            } else if (Opcode.isOfGroup(opcode)) {
                frames(Role.BRICK, opcode, Role.BRICK);
            }
        }
        frames(Role.BRICK, Opcode.REPLY, Role.BRICK);
        frames(Role.BRICK, Opcode.SLICE, Role.BRICK_BULK);
        frames(Role.BRICK, Opcode.CONTROL, Role.CLIENT, Role.BRICK, Role.BRICK_BULK, Role.COORDINATOR);
        frames(Role.COORDINATOR, Opcode.CONTROL, Role.CLIENT, Role.BRICK, Role.COORDINATOR);
        frames(Role.CLIENT, Opcode.REPLY, Role.BRICK);
        frames(Role.CLIENT, Opcode.CONTROL, Role.BRICK, Role.COORDINATOR);

        // A brick refuses requests that only a coordinator can answer, and names the coordinator.
        for (Role asked : List.of(Role.BRICK, Role.COORDINATOR)) {
            messages(
                    asked,
                    ControlFrame.REQUEST,
                    EnumSet.of(Role.CLIENT),
                    ControlMessage.FindTable.class,
                    ControlMessage.FetchBlock.class,
                    ControlMessage.FindCoordinators.class,
                    ControlMessage.OpenSession.class,
                    ControlMessage.RenewSession.class,
                    ControlMessage.CloseSession.class,
                    ControlMessage.CreateTable.class,
                    ControlMessage.DropTable.class,
                    ControlMessage.AcceptLoss.class,
                    ControlMessage.AlterParity.class,
                    ControlMessage.AlterReplicas.class,
                    ControlMessage.AlterSchema.class,
                    ControlMessage.StoreStatistics.class,
                    ControlMessage.FetchStatistics.class,
                    ControlMessage.DrainBrick.class,
                    ControlMessage.FetchStatus.class);
        }
        messages(
                Role.CLIENT,
                ControlFrame.ANSWER,
                EnumSet.of(Role.BRICK, Role.COORDINATOR),
                ControlMessage.Done.class,
                ControlMessage.Refused.class,
                ControlMessage.SessionOpened.class,
                ControlMessage.TableFound.class,
                ControlMessage.BlockFetched.class,
                ControlMessage.Coordinators.class,
                ControlMessage.DrainStatus.class,
                ControlMessage.ClusterStatus.class,
                ControlMessage.StatisticsFound.class);
        messages(
                Role.COORDINATOR,
                ControlFrame.REQUEST,
                EnumSet.of(Role.BRICK),
                ControlMessage.RegisterBrick.class,
                ControlMessage.Heartbeat.class);
        // A brick, or the program that started it, reports its end.
        messages(
                Role.COORDINATOR,
                ControlFrame.REQUEST,
                EnumSet.of(Role.BRICK, Role.CLIENT),
                ControlMessage.BrickEnded.class);
        messages(
                Role.BRICK,
                ControlFrame.ANSWER,
                EnumSet.of(Role.COORDINATOR),
                ControlMessage.BrickRegistered.class,
                ControlMessage.MapUpdate.class);
        messages(
                Role.BRICK,
                ControlFrame.ANSWER,
                EnumSet.of(Role.COORDINATOR, Role.BRICK),
                ControlMessage.Done.class,
                ControlMessage.Refused.class);
        messages(Role.BRICK, ControlFrame.NOTICE, EnumSet.of(Role.COORDINATOR), ControlMessage.MapUpdate.class);
        messages(
                Role.COORDINATOR,
                ControlFrame.REQUEST,
                EnumSet.of(Role.COORDINATOR),
                ControlMessage.DescribeCoordinator.class);
        messages(
                Role.COORDINATOR,
                ControlFrame.ANSWER,
                EnumSet.of(Role.COORDINATOR),
                ControlMessage.CoordinatorDescribed.class,
                ControlMessage.Refused.class);
        messages(
                Role.BRICK,
                ControlFrame.REQUEST,
                EnumSet.of(Role.BRICK, Role.BRICK_BULK),
                ControlMessage.SnapshotOpen.class,
                ControlMessage.Activate.class);
        // The dialed end of a bulk link has the role BRICK.
        messages(Role.BRICK, ControlFrame.ANSWER, EnumSet.of(Role.BRICK), ControlMessage.SnapshotOpened.class);
        messages(Role.BRICK, ControlFrame.NOTICE, EnumSet.of(Role.BRICK), ControlMessage.SnapshotAck.class);
    }

    private Roles() {}

    private static void frames(Role taker, byte opcode, Role... senders) {
        for (Role sender : senders) {
            FRAMES[taker.ordinal()][opcode] |= (byte) (1 << sender.ordinal());
        }
    }

    @SafeVarargs
    private static void messages(Role taker, byte kind, Set<Role> senders, Class<? extends ControlMessage>... types) {
        for (Class<? extends ControlMessage> type : types) {
            MESSAGES.put(new Taken(taker, kind, type), senders);
        }
    }

    /** Whether a node takes frames of an opcode from a role. */
    public static boolean takes(Role taker, Role sender, byte opcode) {
        return opcode >= 0 && opcode < OPCODES && (FRAMES[taker.ordinal()][opcode] >>> sender.ordinal() & 1) != 0;
    }

    /** Whether a node takes a control message of a kind ({@link ControlFrame#REQUEST} and so on) from a role. */
    public static boolean takes(Role taker, Role sender, byte kind, Class<? extends ControlMessage> type) {
        Set<Role> senders = MESSAGES.get(new Taken(taker, kind, type));
        return senders != null && senders.contains(sender);
    }

    /**
     * Checks a frame's opcode before any other field of the frame is read.
     *
     * @throws ProtocolViolation when the node takes no such frames from this role
     */
    public static void check(Role taker, Role sender, byte opcode) {
        if (!takes(taker, sender, opcode)) {
            throw new ProtocolViolation(
                    named(taker) + " takes no frames of opcode " + opcode + " from " + named(sender));
        }
    }

    /**
     * Reads the control message of a whole frame.
     *
     * @throws ProtocolViolation when the bytes are no message, or the node takes no such message from this role
     */
    public static ControlMessage read(Role taker, Role sender, ByteBuf frame, int index, int length) {
        ControlMessage message = ControlFrame.read(frame, index, length);
        if (!takes(taker, sender, frame.getByte(index + ControlFrame.KIND), message.getClass())) {
            throw new ProtocolViolation(named(taker) + " takes no control message "
                    + frame.getUnsignedShortLE(index + ControlFrame.CODE) + " of kind "
                    + frame.getByte(index + ControlFrame.KIND) + " from " + named(sender));
        }
        return message;
    }

    private static String named(Role role) {
        return switch (role) {
            case CLIENT -> "a client";
            case BRICK -> "a brick";
            case BRICK_BULK -> "a brick's bulk link";
            case COORDINATOR -> "a coordinator";
            case UNKNOWN -> "an unknown role";
        };
    }
}
