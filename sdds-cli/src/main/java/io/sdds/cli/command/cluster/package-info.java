/** The commands that run a cluster, drain bricks and print the state of the cluster. */
@NullMarked
package io.sdds.cli.command.cluster;

import org.jspecify.annotations.NullMarked;
