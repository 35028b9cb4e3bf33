package io.sdds.cli.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.ClusterStatus.JoinStatus;
import io.sdds.client.ClusterStatus.MigrationTotals;
import io.sdds.client.ClusterStatus.RepairStatus;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.TableKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterTextTest {
    private static final MigrationTotals NO_MIGRATIONS =
            new MigrationTotals(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, 0, 0, 0);
    private static final long MEBIBYTE = 1L << 20;

    private static List<String> lines(BrickStatus... bricks) {
        ClusterStatus status = new ClusterStatus(
                7, "c1", List.of(), List.of(bricks), List.of(), List.of(), List.of(), 3, List.of(), 0);
        return new ClusterText(status, false).lines();
    }

    private static BrickStatus brick(boolean up, long silentMillis, long used, int partitions, long records, long no) {
        return brick("b10", "", up, silentMillis, used, partitions, records, no);
    }

    private static BrickStatus brick(
            String id, String kernel, boolean up, long silentMillis, long used, int partitions, long records, long no) {
        return new BrickStatus(
                id,
                10,
                1,
                "127.0.0.1:7410",
                up,
                Duration.ofMillis(silentMillis),
                used,
                2048 * MEBIBYTE,
                partitions,
                records,
                0,
                987_654_321,
                44,
                33,
                no,
                false,
                0,
                NO_MIGRATIONS,
                kernel,
                1);
    }

    @Test
    void aBrickTellsItsMemoryAndWhatItRefused() {
        assertThat(lines(brick(true, 0, 512 * MEBIBYTE, 12, 34_567, 8_901)))
                .contains(
                        "BRICK  STATE  ADDRESS         PARTITIONS  RECORDS           MEMORY  REFUSED",
                        "b10    up     127.0.0.1:7410          12   34,567  512 MiB/2.0 GiB    8,901");
    }

    @Test
    void aCopyOnItsWayTellsBytesRateAndTimeLeft() {
        ClusterStatus status = new ClusterStatus(
                7,
                "c1",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                3,
                List.of(
                        new JoinStatus(1, 2, "b10", "b11", 25 * MEBIBYTE, 100 * MEBIBYTE, 16 * MEBIBYTE),
                        new JoinStatus(1, 2, "b10", "b12", 0, 100 * MEBIBYTE, 0)),
                0);
        ClusterText text = new ClusterText(status, false);
        assertThat(text.lines())
                .contains(
                        "COPY  PARTITION  BRICKS     PROGRESS           SHIPPED        RATE  LEFT",
                        "?     2          b10 → b11  ███░░░░░░░  25 %  25.0 MiB  16.0 MiB/s   5 s")
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(text.document().get("joins"))
                .asString()
                .contains("bytes_per_second=16777216, seconds_left=5", "bytes_per_second=0, seconds_left=null");
    }

    @Test
    void aRepairTellsWhatIsLeft() {
        TableOptions options = TableOptions.parity(4, 2).withPartitions(8);
        ClusterStatus status = new ClusterStatus(
                7,
                "c1",
                List.of(),
                List.of(),
                List.of(new TableInfo(1, "safe", TableKind.HASH, options, 8, 0, 0, 0)),
                List.of(),
                List.of(),
                3,
                List.of(),
                0,
                List.of(
                        new RepairStatus(1, 5, -1, "b4", 250, 1_000, 50),
                        new RepairStatus(1, 4, 1, "b3", 0, 12 * MEBIBYTE, 0)),
                List.of());
        ClusterText text = new ClusterText(status, false);
        assertThat(text.lines())
                .contains(
                        "REPAIR  MEMBER               BRICK  PROGRESS                 LEFT",
                        "safe    partition 5          b4     ███░░░░░░░  25 %  750 records",
                        "safe    parity 1 of group 1  b3     ░░░░░░░░░░   0 %     12.0 MiB");
        assertThat(text.document().get("repairs"))
                .asString()
                .contains(
                        "group=1, partition=5, parity=null, target=b4, done_records=250, total_records=1000,"
                                + " records_per_second=50",
                        "group=1, partition=null, parity=1, target=b3, done_bytes=0, total_bytes=12582912");
    }

    private static ClusterText kernels(TableOptions options, BrickStatus... bricks) {
        TableInfo table = new TableInfo(1, "t", TableKind.HASH, options, 8, 0, 0, 0);
        return new ClusterText(
                new ClusterStatus(
                        7, "c1", List.of(), List.of(bricks), List.of(table), List.of(), List.of(), 3, List.of(), 0),
                false);
    }

    private static BrickStatus withKernel(String id, String kernel) {
        return brick(id, kernel, true, 0, 0, 0, 0, 0);
    }

    @Test
    void oneLineNamesTheErasureKernelOfAllBricks() {
        BrickStatus[] bricks = {withKernel("b1", "isal"), withKernel("b2", "isal"), withKernel("b3", "")};
        ClusterText parity = kernels(TableOptions.parity(4, 2), bricks);
        assertThat(parity.lines()).contains("erasure kernel isal");
        assertThat(parity.document().get("bricks")).asString().contains("erasure_kernel=isal", "erasure_kernel=null");
        assertThat(kernels(TableOptions.capacity(1000), bricks).lines())
                .as("no table has parity")
                .noneMatch(line -> line.contains("kernel"));
    }

    @Test
    void eachErasureKernelHasALineWithItsBricksWhenTheyDiffer() {
        BrickStatus[] bricks = new BrickStatus[30];
        for (int k = 0; k < bricks.length; k++) {
            bricks[k] = withKernel("brick" + (1000 + k), k % 3 == 0 ? "vector" : "isal");
        }
        bricks[0] = brick("brick1000", "reed-solomon", false, 5_000, 0, 0, 0, 0);
        assertThat(kernels(TableOptions.parity(4, 2), bricks).lines())
                .contains(
                        "erasure kernel isal on brick1001 brick1002 brick1004 brick1005 and 16 more",
                        "erasure kernel vector on brick1003 brick1006 brick1009 brick1012 and 5 more")
                .as("a brick that is down does not count")
                .noneMatch(line -> line.contains("reed-solomon"))
                .filteredOn(line -> line.contains("kernel"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void tellsWhoReceivedDamagedBytes() {
        ClusterStatus status =
                new ClusterStatus(7, "c1", List.of(), List.of(), List.of(), List.of(), List.of(), 3, List.of(), 2);
        assertThat(new ClusterText(status, false).lines())
                .contains("coordinator c1 closed 2 connections because a checksum of received frames was wrong");
        assertThat(lines(brick(true, 0, 0, 0, 0, 0))).noneMatch(line -> line.contains("checksum"));
    }

    @Test
    void aBusyBrickFitsIn80Columns() {
        assertThat(lines(brick(true, 0, 1023 * MEBIBYTE, 1_234, 12_345_678, 123_456)))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(lines(brick(false, 3_400, 512 * MEBIBYTE, 123, 234_567, 1_234)))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
}
