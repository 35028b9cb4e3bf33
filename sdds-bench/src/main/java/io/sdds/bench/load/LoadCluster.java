package io.sdds.bench.load;

import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import java.util.List;

/**
 * The cluster that a benchmark loads.
 *
 * @param client creates, watches and drops the tables
 * @param addresses addresses for the clients of the load
 * @param settings settings of the clients of the load
 * @param site description of the cluster, for the report
 * @param listener hears of the progress
 */
public record LoadCluster(
        SddsClient client,
        List<String> addresses,
        ClientSettings settings,
        String site,
        LoadProgress.Listener listener) {}
