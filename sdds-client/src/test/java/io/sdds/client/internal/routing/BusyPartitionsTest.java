package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BusyPartitionsTest {
    private final BusyPartitions busy = new BusyPartitions();

    private void refuse(long partition, long nowNanos) {
        busy.onBatch(nowNanos);
        busy.onRefused(partition);
    }

    @Test
    void aPartitionIsBusyWhenASecondBatchBeginsBeforeItsAnswer() {
        refuse(1, 0);
        assertThat(busy.isBusy(1)).isFalse();
        busy.onBatch(1);
        assertThat(busy.isBusy(1)).isTrue();
        assertThat(busy.isBusy(2)).isFalse();
    }

    @Test
    void anAnswerOfThePartitionEndsItAndOneOfAnotherDoesNot() {
        refuse(1, 0);
        busy.onBatch(1);
        busy.onAnswer(2, 2);
        assertThat(busy.isBusy(1)).isTrue();
        busy.onAnswer(1, 3);
        assertThat(busy.isBusy(1)).isFalse();
    }

    @Test
    void aPartitionThatNeverAnswersIsForgottenAfterATimeWithoutRefusals() {
        refuse(1, 0);
        busy.onBatch(1);
        busy.onAnswer(2, 1 + BusyPartitions.FORGOTTEN_NANOS);
        assertThat(busy.isBusy(1)).isTrue();
        busy.onAnswer(2, 2 + BusyPartitions.FORGOTTEN_NANOS);
        busy.onBatch(3 + BusyPartitions.FORGOTTEN_NANOS);
        assertThat(busy.isBusy(1)).isFalse();
    }

    @Test
    void aNewLinkBeginsWithoutBusyPartitions() {
        refuse(1, 0);
        busy.onBatch(1);
        busy.clear();
        assertThat(busy.isBusy(1)).isFalse();
    }
}
