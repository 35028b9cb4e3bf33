package io.sdds.sim.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.world.NetworkModel;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.Simulation;
import io.sdds.sim.world.SimulationFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The checkers of what is on the wire take a right run of frames, and refuse it with one thing wrong. */
class FrameWatchesTest {
    private static final int STAGES = 2;

    private final Simulation simulation = new Simulation(1, NetworkModel.CALM);
    private final SimEnv client = simulation.env("client1", ServiceTimes.DEFAULT);
    private final SimEnv brick = simulation.env("b1", ServiceTimes.DEFAULT);
    private final SimEnv other = simulation.env("b2", ServiceTimes.DEFAULT);
    private final Forwarding forwarding = new Forwarding();
    private final ReplyCheck answers = new ReplyCheck(simulation.coverage(), STAGES);

    @AfterEach
    void close() {
        simulation.close();
    }

    // ---- forwards

    @Test
    void aThirdForwardForItsAddressIsTooMany() {
        see(forwarding, brick, other, request(1, 7, Limits.ADDRESSING_HOPS_MAX, Limits.ADDRESSING_HOPS_MAX));
        assertThatThrownBy(() -> see(forwarding, brick, other, request(1, 7, 3, 3)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("too many forwards");
    }

    @Test
    void forwardsForItsPlaceHaveABoundAsWell() {
        see(forwarding, brick, other, request(1, 7, 0, Limits.HOPS_MAX));
        assertThatThrownBy(() -> see(forwarding, brick, other, request(1, 7, 0, Limits.HOPS_MAX + 1)))
                .isInstanceOf(SimulationFailure.class);
    }

    // ---- answers

    @Test
    void aWriteThatIsSentAgainHasTheSameAnswer() {
        see(answers, client, brick, request(1, 7, 0, 0));
        see(answers, brick, client, reply(1, Status.OK, 42));
        see(answers, client, brick, request(2, 7, 0, 0));
        see(answers, brick, client, reply(2, Status.OK, 42));
        assertThat(simulation.coverage().count(RareEvent.ANSWERED_AGAIN)).isEqualTo(1);
        assertThat(answers.missing(connection -> true)).isEmpty();
    }

    @Test
    void anotherVersionOrStatusOfTheSameWriteIsTwoResults() {
        see(answers, client, brick, request(1, 7, 0, 0));
        see(answers, brick, client, reply(1, Status.OK, 42));
        see(answers, client, brick, request(2, 7, 0, 0));
        assertThatThrownBy(() -> see(answers, brick, client, reply(2, Status.OK, 43)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("two results");
        see(answers, client, brick, request(3, 7, 0, 0));
        assertThatThrownBy(() -> see(answers, brick, client, reply(3, Status.ABSENT, 42)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("two results");
    }

    @Test
    void whatWasNotAskedOrIsAnsweredTwiceIsRefused() {
        assertThatThrownBy(() -> see(answers, brick, client, reply(1, Status.OK, 42)))
                .isInstanceOf(SimulationFailure.class);
        see(answers, client, brick, request(1, 7, 0, 0));
        see(answers, brick, client, reply(1, Status.OK, 42));
        assertThatThrownBy(() -> see(answers, brick, client, reply(1, Status.OK, 42)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("not asked, or answered before");
    }

    @Test
    void aCorrelationIdIsOneRequestsUntilItIsAnswered() {
        see(answers, client, brick, request(1, 7, 0, 0));
        assertThatThrownBy(() -> see(answers, client, brick, request(1, 8, 0, 0)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("two requests");
    }

    @Test
    void whatIsNeverAnsweredIsMissedAsLongAsThereIsItsConnection() {
        see(answers, client, brick, request(1, 7, 0, 0));
        see(answers, client, brick, request(2, 8, 0, 0));
        see(answers, brick, client, reply(1, Status.OK, 42));
        assertThat(answers.missing(connection -> connection == 1))
                .singleElement()
                .asString()
                .contains("correlation 2 was never answered");
        assertThat(answers.missing(connection -> false)).isEmpty();
        see(answers, brick, client, reply(2, Status.BUSY, 42));
        assertThat(answers.missing(connection -> true)).isEmpty();
    }

    @Test
    void whatWasForwardedIsMissedWhereItWasSentOn() {
        see(answers, client, brick, request(1, 7, 0, 0));
        see(answers, brick, other, request(5, 7, 1, 1));
        see(answers, brick, client, reply(1, Status.OK, 42));
        assertThat(answers.missing(connection -> true))
                .singleElement()
                .asString()
                .contains("correlation 5");
        see(answers, other, brick, reply(5, Status.OK, 42));
        assertThat(answers.missing(connection -> true)).isEmpty();
    }

    @Test
    void ofWhatWentToAllBricksNobodyNeedAnswer() {
        see(answers, client, brick, toAll(1));
        assertThat(answers.missing(connection -> true)).isEmpty();
    }

    @Test
    void whatWentToAllBricksEachStageMayAnswerOnceAndRefuse() {
        see(answers, client, brick, toAll(1));
        see(answers, brick, client, reply(1, Status.OK, 42));
        see(answers, brick, client, reply(1, Status.OK, 42));
        see(answers, brick, client, reply(1, Status.BUSY, 42));
        assertThatThrownBy(() -> see(answers, brick, client, reply(1, Status.OK, 42)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("answered before");
    }

    @Test
    void stagesThatBothAnswerAWriteThatWentToAllBricksTellOneResult() {
        see(answers, client, brick, toAll(1));
        see(answers, brick, client, reply(1, Status.OK, 42));
        assertThatThrownBy(() -> see(answers, brick, client, reply(1, Status.OK, 43)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("two results");
    }

    /** A put that goes to all bricks. */
    private static ByteBuf toAll(int correlation) {
        return request(correlation, 7, 0, 0).setByte(RequestFrame.FLAGS, RequestFrame.FLAG_MULTICAST);
    }

    private static void see(SimNetwork.FrameWatch watch, SimEnv from, SimEnv to, ByteBuf frame) {
        watch.onFrame(1, from, to, frame, 0, frame.readableBytes());
    }

    /** A put, without its key and value. */
    private static ByteBuf request(int correlation, long seq, int addressingHops, int hops) {
        ByteBuf frame = Unpooled.buffer();
        RequestFrame.writeHeader(frame, RequestFrame.WRITE_BODY, Opcode.PUT, 0, correlation, 1, 0, 100, 1, 0);
        RequestFrame.writeRequestId(frame, 1, seq, seq);
        return frame.setByte(RequestFrame.ADDRESSING_HOPS, addressingHops).setByte(RequestFrame.HOPS, hops);
    }

    private static ByteBuf reply(int correlation, byte status, long version) {
        ByteBuf frame = Unpooled.buffer();
        ReplyFrame.writeHeader(frame, ReplyFrame.HEADER + Long.BYTES, 0, status, 0, correlation);
        return frame.writeLongLE(version);
    }
}
