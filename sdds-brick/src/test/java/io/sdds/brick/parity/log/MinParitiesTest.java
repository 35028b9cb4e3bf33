package io.sdds.brick.parity.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes are acknowledged only while as many parities are members as the table asks for, here one of two. */
class MinParitiesTest {
    private static final long SESSION = 1;

    private final ConversionFixture table = new ConversionFixture(TableKind.HASH, 2, 64 << 20);
    private long seq;

    @AfterEach
    void close() {
        table.close();
    }

    private void standOnParity() {
        put();
        table.convert();
        table.rankAll();
        table.joinAll();
        table.end();
        table.run(2);
    }

    private void put() {
        repeat(++seq);
    }

    /** Sends the put of a seq, or sends it again. */
    private void repeat(long number) {
        table.primary(0).write(Opcode.PUT, SESSION, number, table.key(0, (int) number), 10, 0);
    }

    private byte answer() {
        table.pump();
        return table.primary(0).answers().getLast();
    }

    @Test
    void writesAreRefusedWithoutParitiesAndGoOnWithTheFirstThatJoins() {
        standOnParity();
        table.loseParity(1);
        put();
        assertThat(answer()).as("one parity is left").isEqualTo(Status.OK);
        table.loseParity(0);
        put();
        assertThat(answer()).isEqualTo(Status.TOO_FEW_COPIES);
        assertThat(table.primary(0).records()).hasSize(2);
        join(0);
        put();
        assertThat(answer()).isEqualTo(Status.OK);
        table.checkParities("in the end");
    }

    private void join(int parity) {
        table.order(parity);
        table.runUntilJoined();
        table.commitJoin();
        table.run(2);
    }

    /** The write was proposed with a parity, and is committed by the primary alone. */
    @Test
    void aWriteThatLosesItsParitiesBeforeItIsCommittedIsNotAcknowledgedBeforeOneHasJoined() {
        standOnParity();
        table.loseParity(1);
        table.run(2);
        put();
        int before = table.primary(0).answers().size();
        table.loseParity(0);
        table.run(2);
        assertThat(table.primary(0).answers()).hasSize(before + 1);
        assertThat(answer()).isEqualTo(Status.UNKNOWN);
        repeat(seq);
        assertThat(answer()).isEqualTo(Status.TOO_FEW_COPIES);
        join(0);
        repeat(seq);
        assertThat(answer()).isEqualTo(Status.OK);
        assertThat(table.primary(0).records()).hasSize(2);
    }

    @Test
    void theNumberChangesWhileTheTableServes() {
        standOnParity();
        table.loseParity(1);
        table.minParities(2);
        put();
        assertThat(answer()).isEqualTo(Status.TOO_FEW_COPIES);
        table.minParities(0);
        table.loseParity(0);
        put();
        assertThat(answer()).isEqualTo(Status.OK);
    }

    /** The copies protect the records, and the parities are built. */
    @Test
    void aGroupThatStandsOnReplicasNeedsNoParity() {
        put();
        table.convert();
        table.minParities(2);
        table.rankAll();
        put();
        assertThat(answer()).isEqualTo(Status.OK);
        table.joinAll();
        table.end();
        table.run(2);
        table.loseParity(0);
        put();
        assertThat(answer()).isEqualTo(Status.TOO_FEW_COPIES);
    }
}
