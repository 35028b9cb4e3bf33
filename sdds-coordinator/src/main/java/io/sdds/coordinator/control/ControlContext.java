package io.sdds.coordinator.control;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.node.Env;

/** What the reconcilers of one coordinator share. The state is changed by committed commands alone. */
record ControlContext(Env env, CoordinatorSettings settings, CommandLog log, ClusterState state) {}
