package io.sdds.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.protocol.Hello.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A second copy of the table of roles: the receiver, the frame or message, and the roles that may send it. */
class RolesTest {
    private static final List<String> KINDS = List.of("request", "answer", "notice");

    private static final String FRAMES = """
        BRICK        1-14   CLIENT BRICK
        BRICK        15-16  CLIENT
        BRICK        32     BRICK
        BRICK        50     CLIENT BRICK BRICK_BULK COORDINATOR
        BRICK        51     BRICK_BULK
        BRICK        55-58  BRICK
        BRICK        60-66  BRICK
        COORDINATOR  50     CLIENT BRICK COORDINATOR
        CLIENT       32     BRICK
        CLIENT       50     BRICK COORDINATOR
        """;

    private static final String MESSAGES = """
        BRICK        request FindTable            CLIENT
        BRICK        request FetchBlock           CLIENT
        BRICK        request FindCoordinators     CLIENT
        BRICK        request OpenSession          CLIENT
        BRICK        request RenewSession         CLIENT
        BRICK        request CloseSession         CLIENT
        BRICK        request CreateTable          CLIENT
        BRICK        request DropTable            CLIENT
        BRICK        request AcceptLoss           CLIENT
        BRICK        request AlterParity          CLIENT
        BRICK        request AlterReplicas        CLIENT
        BRICK        request AlterSchema          CLIENT
        BRICK        request StoreStatistics      CLIENT
        BRICK        request FetchStatistics      CLIENT
        BRICK        request DrainBrick           CLIENT
        BRICK        request FetchStatus          CLIENT
        BRICK        request SnapshotOpen             BRICK BRICK_BULK
        BRICK        request Activate             BRICK BRICK_BULK
        BRICK        answer  Done                 BRICK COORDINATOR
        BRICK        answer  SnapshotOpened           BRICK
        BRICK        answer  Refused              BRICK COORDINATOR
        BRICK        answer  BrickRegistered      COORDINATOR
        BRICK        answer  MapUpdate            COORDINATOR
        BRICK        notice  MapUpdate            COORDINATOR
        BRICK        notice  SnapshotAck            BRICK
        COORDINATOR  request FindTable            CLIENT
        COORDINATOR  request FetchBlock           CLIENT
        COORDINATOR  request FindCoordinators     CLIENT
        COORDINATOR  request OpenSession          CLIENT
        COORDINATOR  request RenewSession         CLIENT
        COORDINATOR  request CloseSession         CLIENT
        COORDINATOR  request CreateTable          CLIENT
        COORDINATOR  request DropTable            CLIENT
        COORDINATOR  request AcceptLoss           CLIENT
        COORDINATOR  request AlterParity          CLIENT
        COORDINATOR  request AlterReplicas        CLIENT
        COORDINATOR  request AlterSchema          CLIENT
        COORDINATOR  request StoreStatistics      CLIENT
        COORDINATOR  request FetchStatistics      CLIENT
        COORDINATOR  request DrainBrick           CLIENT
        COORDINATOR  request FetchStatus          CLIENT
        COORDINATOR  request RegisterBrick        BRICK
        COORDINATOR  request Heartbeat            BRICK
        COORDINATOR  request BrickEnded           BRICK CLIENT
        COORDINATOR  request DescribeCoordinator  COORDINATOR
        COORDINATOR  answer  CoordinatorDescribed COORDINATOR
        COORDINATOR  answer  Refused              COORDINATOR
        CLIENT       answer  Done                 BRICK COORDINATOR
        CLIENT       answer  Refused              BRICK COORDINATOR
        CLIENT       answer  SessionOpened        BRICK COORDINATOR
        CLIENT       answer  TableFound           BRICK COORDINATOR
        CLIENT       answer  BlockFetched         BRICK COORDINATOR
        CLIENT       answer  Coordinators         BRICK COORDINATOR
        CLIENT       answer  DrainStatus          BRICK COORDINATOR
        CLIENT       answer  ClusterStatus        BRICK COORDINATOR
        CLIENT       answer  StatisticsFound      BRICK COORDINATOR
        """;

    @Test
    void eachRoleTakesTheFramesThatTheTableSaysAndNoOther() {
        Map<String, Set<String>> expected = new TreeMap<>();
        FRAMES.lines().forEach(line -> {
            String[] words = line.strip().split(" +");
            String[] range = words[1].split("-");
            IntStream.rangeClosed(Integer.parseInt(range[0]), Integer.parseInt(range[range.length - 1]))
                    .forEach(opcode -> expected.put(words[0] + " " + opcode, senders(words, 2)));
        });
        for (Role taker : Role.values()) {
            for (int opcode = Byte.MIN_VALUE; opcode <= Byte.MAX_VALUE; opcode++) {
                byte code = (byte) opcode;
                assertThat(those(sender -> Roles.takes(taker, sender, code)))
                        .as("who may send opcode %d to a %s", opcode, taker)
                        .isEqualTo(expected.getOrDefault(taker + " " + opcode, Set.of()));
            }
        }
    }

    @Test
    void eachRoleTakesTheControlMessagesThatTheTableSaysAndNoOther() {
        Map<String, Set<String>> expected = new TreeMap<>();
        MESSAGES.lines().forEach(line -> {
            String[] words = line.strip().split(" +");
            expected.put(words[0] + " " + words[1] + " " + words[2], senders(words, 3));
        });
        List<String> known = new ArrayList<>();
        for (Role taker : Role.values()) {
            for (byte kind = 0; kind < KINDS.size(); kind++) {
                for (Class<? extends ControlMessage> type : ControlFrame.types()) {
                    byte its = kind;
                    String what = taker + " " + KINDS.get(kind) + " " + type.getSimpleName();
                    known.add(what);
                    assertThat(those(sender -> Roles.takes(taker, sender, its, type)))
                            .as("who may send to a %s", what)
                            .isEqualTo(expected.getOrDefault(what, Set.of()));
                }
            }
        }
        assertThat(known).containsAll(expected.keySet());
    }

    @Test
    void everyControlMessageIsTakenByWhoeverItIsFor() {
        assertThat(ControlFrame.types())
                .allMatch(type -> Stream.of(Role.values())
                        .anyMatch(taker -> Stream.of(Role.values())
                                .anyMatch(sender -> IntStream.range(0, KINDS.size())
                                        .anyMatch(kind -> Roles.takes(taker, sender, (byte) kind, type)))));
    }

    private static Set<String> senders(String[] words, int first) {
        return Stream.of(words).skip(first).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> those(java.util.function.Predicate<Role> may) {
        return Stream.of(Role.values()).filter(may).map(Role::name).collect(Collectors.toCollection(TreeSet::new));
    }
}
