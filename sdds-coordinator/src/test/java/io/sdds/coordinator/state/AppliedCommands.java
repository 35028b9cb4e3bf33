package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.model.Place.Member;

/** A state to which a test applies commands: each is accepted, or rejected without effect. */
abstract class AppliedCommands {
    final ClusterState state = new ClusterState();

    /** The first process of a brick. */
    static Host host(int brick) {
        return new Host(brick, 1);
    }

    /** The first process of a brick, as member of a group. */
    static Member member(int brick) {
        return new Member(brick, 1);
    }

    Result applied(Command command) {
        Result result = state.apply(command);
        assertThat(result).as("%s", command).isNotInstanceOf(Result.Rejected.class);
        return result;
    }

    void rejected(Command command) {
        ClusterSnapshot before = state.snapshot();
        assertThat(state.apply(command)).as("%s", command).isInstanceOf(Result.Rejected.class);
        assertThat(state.snapshot()).isEqualTo(before);
    }

    /** Registers the first processes of bricks 1 to {@code bricks}. */
    void registerBricks(int bricks) {
        for (int brick = 1; brick <= bricks; brick++) {
            register(brick, brick, 0);
        }
    }

    /** Registers the next process of a brick. */
    void replace(int brick) {
        long incarnation = state.brick(brick).incarnation();
        register(brick, 100L * brick + incarnation, incarnation);
    }

    private void register(int brick, long nonce, long replaced) {
        applied(new Command.RegisterBrick("b" + brick, nonce, "b" + brick + ":1", 1 << 30, replaced));
    }
}
